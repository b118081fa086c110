import { access, constants, open, stat } from 'node:fs/promises';
import { SdkError } from '@hexagent/ports';
import type { Located } from './locating.ts';
import { findOnPath } from './locating.ts';
import { buildForLibc } from './platform-packages.ts';
import { headBytes, programNeeds, type ProgramNeeds } from './program-format.ts';
import type { Surroundings } from './surroundings.ts';

// The operating system answers ENOENT to all of these; here each gets its own name.

/** @throws {SdkError} `CWD_MISSING` */
export async function checkFolder(cwd: string | undefined): Promise<void> {
  let found;
  try {
    found = await stat(cwd ?? process.cwd());
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
export async function checkProgram(program: Located, path: string | undefined, seen: Surroundings): Promise<void> {
  const [executable, head] = await Promise.all([
    access(program.path, constants.X_OK).then(
      () => true,
      () => false,
    ),
    readHead(program.path),
    checkFile(program),
  ]);
  if (!executable && seen.platform !== 'win32') {
    throw new SdkError('AGENT_NOT_EXECUTABLE', `${program.path} may not be executed. Try: chmod +x ${program.path}`);
  }
  await checkNeeds(program.path, programNeeds(head), path, seen);
}

/** @throws {SdkError} `AGENT_NOT_FOUND` or `AGENT_NOT_EXECUTABLE` */
export async function checkFile({ path, through }: Located): Promise<void> {
  let found;
  try {
    found = await stat(path);
  } catch (cause) {
    throw new SdkError('AGENT_NOT_FOUND', `There is no file ${path}, which was named by ${through}.`, { cause });
  }
  if (!found.isFile()) throw new SdkError('AGENT_NOT_EXECUTABLE', `${path}, named by ${through}, is not a file.`);
}

/** @throws {SdkError} `AGENT_INTERPRETER_MISSING` */
export async function checkInterpreter(script: string, interpreter: string): Promise<void> {
  if (await exists(interpreter)) return;
  const ending = interpreter.endsWith('\r') ? ' Its first line ends like a Windows file.' : '';
  throw new SdkError(
    'AGENT_INTERPRETER_MISSING',
    `${script} is run by ${interpreter.trimEnd()}, which does not exist.${ending}`,
  );
}

async function checkNeeds(
  program: string,
  needs: ProgramNeeds,
  path: string | undefined,
  seen: Surroundings,
): Promise<void> {
  if (needs.kind === 'nothing') return;
  if (needs.kind === 'interpreter') {
    await checkInterpreter(program, needs.path);
    if (needs.command === undefined || findOnPath(needs.command, seen, path ?? '/usr/bin:/bin')) return;
    const where = path === undefined ? 'PATH is not set' : `not in its PATH (${path})`;
    throw new SdkError(
      'AGENT_INTERPRETER_MISSING',
      `${program} is run by ${needs.command}, which was not found: ${where}.`,
    );
  }
  if (await exists(needs.path)) return;
  const wanted = needs.path.includes('musl') ? 'musl' : 'glibc';
  const other = wanted === 'musl' ? 'glibc' : 'musl';
  throw new SdkError(
    'AGENT_LIBC_MISMATCH',
    `${program} was built for ${wanted}: it needs the loader ${needs.path}, which this system does not have. ` +
      `Install the build for ${other}: npm install ${buildForLibc(seen, other)}`,
  );
}

/** Empty when it may be executed but not read: then there is nothing to check. */
async function readHead(path: string): Promise<Buffer> {
  try {
    // Without waiting: a path can lead to a pipe that nobody writes to.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch {
    return Buffer.alloc(0);
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
