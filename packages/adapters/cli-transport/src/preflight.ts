import { closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { SdkError } from '@hexagent/ports';
import type { Located } from './locating.ts';
import { findOnPath } from './locating.ts';
import { buildForLibc } from './platform-packages.ts';
import { headBytes, programNeeds, type ProgramNeeds } from './program-format.ts';
import type { Surroundings } from './surroundings.ts';

// The operating system answers ENOENT to all of these; here each gets its own name. Synchronous, because starting the
// process looks at the same files and waits for them: a trip through the thread pool would cost a hundred times the look.

/** @throws {SdkError} `CWD_MISSING` */
export function checkFolder(cwd: string | undefined): void {
  let found;
  try {
    found = statSync(cwd ?? process.cwd());
  } catch (cause) {
    throw new SdkError(
      'CWD_MISSING',
      `The working directory ${cwd ?? 'of this process'} does not exist or cannot be entered.`,
      { cause },
    );
  }
  if (!found.isDirectory()) throw new SdkError('CWD_MISSING', `The working directory ${cwd} is not a folder.`);
}

/**
 * @param path the `PATH` that the program will have
 * @throws {SdkError} `AGENT_NOT_FOUND`, `AGENT_NOT_EXECUTABLE`, `AGENT_INTERPRETER_MISSING` or `AGENT_LIBC_MISMATCH`
 */
export function checkProgram(program: Located, path: string | undefined, seen: Surroundings): void {
  checkFile(program);
  if (seen.platform !== 'win32' && !seen.isExecutable(program.path)) {
    throw new SdkError('AGENT_NOT_EXECUTABLE', `${program.path} may not be executed. Try: chmod +x ${program.path}`);
  }
  checkNeeds(program.path, programNeeds(readHead(program.path)), path, seen);
}

/** @throws {SdkError} `AGENT_NOT_FOUND` or `AGENT_NOT_EXECUTABLE` */
export function checkFile({ path, through }: Located): void {
  let found;
  try {
    found = statSync(path);
  } catch (cause) {
    throw new SdkError('AGENT_NOT_FOUND', `There is no file ${path}, which was named by ${through}.`, { cause });
  }
  if (!found.isFile()) throw new SdkError('AGENT_NOT_EXECUTABLE', `${path}, named by ${through}, is not a file.`);
}

/** @throws {SdkError} `AGENT_INTERPRETER_MISSING` */
export function checkInterpreter(script: string, interpreter: string): void {
  if (existsSync(interpreter)) return;
  const ending = interpreter.endsWith('\r') ? ' Its first line ends like a Windows file.' : '';
  throw new SdkError(
    'AGENT_INTERPRETER_MISSING',
    `${script} is run by ${interpreter.trimEnd()}, which does not exist.${ending}`,
  );
}

function checkNeeds(program: string, needs: ProgramNeeds, path: string | undefined, seen: Surroundings): void {
  if (needs.kind === 'nothing') return;
  if (needs.kind === 'interpreter') {
    checkInterpreter(program, needs.path);
    if (needs.command === undefined || findOnPath(needs.command, seen, path ?? '/usr/bin:/bin')) return;
    const where = path === undefined ? 'PATH is not set' : `not in its PATH (${path})`;
    throw new SdkError(
      'AGENT_INTERPRETER_MISSING',
      `${program} is run by ${needs.command}, which was not found: ${where}.`,
    );
  }
  if (existsSync(needs.path)) return;
  const wanted = needs.path.includes('musl') ? 'musl' : 'glibc';
  const other = wanted === 'musl' ? 'glibc' : 'musl';
  throw new SdkError(
    'AGENT_LIBC_MISMATCH',
    `${program} was built for ${wanted}: it needs the loader ${needs.path}, which this system does not have. ` +
      `Install the build for ${other}: npm install ${buildForLibc(seen, other)}`,
  );
}

/** Empty when it may be executed but not read: then there is nothing to check. */
function readHead(path: string): Buffer {
  let file: number | undefined;
  try {
    // Without waiting: a path can lead to a pipe that nobody writes to.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
