import { accessSync, closeSync, constants, existsSync, openSync, readSync, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { SdkError } from '@hexagent/ports';
import { isAbsolutePath } from './absolute-path.ts';
import { currentFolder } from './current-folder.ts';
import type { FoundProgram } from './find-cli.ts';
import type { HostEnvironment } from './host-environment.ts';
import { buildForLibc } from './platform-packages.ts';
import { headBytes, programNeeds, type ProgramNeeds } from './program-format.ts';
import { searchPath } from './search-path.ts';

// The operating system answers ENOENT to all of these; here each gets its own name. Synchronous, as the start of a process is,
// which reads the same files.

/**
 * The folder of this process is not read by its path: it may have none, and need none when another one is given.
 * @throws {SdkError} `CWD_MISSING`
 */
export function checkFolder(cwd: string | undefined): void {
  if (cwd === undefined) {
    const folder = currentFolder();
    if ('path' in folder) return;
    throw unreachable(folder.problem);
  }
  // Only the system can follow it from a folder that no path leads to, and the program would then refuse to work there.
  const folder = isAbsolute(cwd) ? undefined : currentFolder();
  if (folder !== undefined && 'problem' in folder) throw unreachable(folder.problem);
  let found;
  try {
    found = statSync(cwd);
  } catch (cause) {
    // `process.cwd()` contains this character for bytes that are not UTF-8.
    const own = cwd.includes('\uFFFD') ? currentFolder() : undefined;
    if (own !== undefined && 'problem' in own) throw unreachable(own.problem);
    const message = `The working directory ${cwd} does not exist or cannot be entered.`;
    throw new SdkError('CWD_MISSING', message, { cause });
  }
  if (!found.isDirectory()) throw new SdkError('CWD_MISSING', `The working directory ${cwd} is not a folder.`);
  try {
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    // Starting the program would fail with the name of the program.
    const message = `The working directory ${cwd} may not be entered by the user that runs this program.`;
    throw new SdkError('CWD_MISSING', message, { cause });
  }
}

function unreachable(problem: string): SdkError {
  const message = `The folder that this program works in ${problem}. Pass an absolute path as \`cwd\`.`;
  return new SdkError('CWD_MISSING', message);
}

/**
 * @param path the `PATH` that the program will have
 * @returns what must be run to run it: the program, unless a folder could decide what its first line means
 * @throws {SdkError} `AGENT_NOT_FOUND`, `AGENT_NOT_EXECUTABLE`, `AGENT_INTERPRETER_MISSING` or `AGENT_LIBC_MISMATCH`
 */
export function checkProgram(
  program: FoundProgram,
  path: string | undefined,
  host: HostEnvironment,
): readonly string[] {
  checkFile(program);
  if (host.platform !== 'win32' && !host.isExecutable(program.path)) {
    throw new SdkError('AGENT_NOT_EXECUTABLE', `${program.path} may not be executed. Try: chmod +x ${program.path}`);
  }
  const needs = programNeeds(readHead(program.path));
  if (needs.kind === 'interpreter') return [...checkFirstLine(program.path, needs, path, host), program.path];
  checkLoader(program.path, needs, host);
  return [program.path];
}

/** @throws {SdkError} `AGENT_NOT_FOUND` or `AGENT_NOT_EXECUTABLE` */
export function checkFile({ path, through }: FoundProgram): void {
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

type Interpreter = Extract<ProgramNeeds, { kind: 'interpreter' }>;

/** @returns the interpreter and its arguments where `env` would search the working directory for it; else nothing */
function checkFirstLine(
  program: string,
  needs: Interpreter,
  path: string | undefined,
  host: HostEnvironment,
): readonly string[] {
  if (!isAbsolutePath(needs.path, host.platform)) {
    const message = `${program} is run by ${needs.path}, a relative path that leads to another program in each folder.`;
    throw new SdkError('AGENT_INTERPRETER_MISSING', message);
  }
  checkInterpreter(program, needs.path);
  if (!needs.path.endsWith('/env')) return [];
  const { command, args } = needs;
  const found = command === undefined ? undefined : searchPath(command, host, path ?? '/usr/bin:/bin').path;
  if (command !== undefined && found === undefined) {
    const where = path === undefined ? 'PATH is not set' : `not in its PATH (${path})`;
    throw new SdkError('AGENT_INTERPRETER_MISSING', `${program} is run by ${command}, which was not found: ${where}.`);
  }
  if ((path ?? '/').split(':').every((entry) => isAbsolutePath(entry, host.platform))) return [];
  if (found !== undefined && args !== undefined) return [found, ...args];
  throw new SdkError(
    'AGENT_NOT_EXECUTABLE',
    `${program} lets PATH decide what runs it, and its PATH (${path}) has entries that are not absolute. Take them out.`,
  );
}

function checkLoader(program: string, needs: Exclude<ProgramNeeds, Interpreter>, host: HostEnvironment): void {
  if (needs.kind === 'nothing' || existsSync(needs.path)) return;
  const wanted = needs.path.includes('musl') ? 'musl' : 'glibc';
  const other = wanted === 'musl' ? 'glibc' : 'musl';
  throw new SdkError(
    'AGENT_LIBC_MISMATCH',
    `${program} was built for ${wanted}: it needs the loader ${needs.path}, which this system does not have. ` +
      `Install the build for ${other}: npm install ${buildForLibc(host, other)}`,
  );
}

/** Empty when it may be executed but not read: then there is nothing to check. */
function readHead(path: string): Buffer {
  let file: number | undefined;
  try {
    // Without waiting: a path can lead to a pipe without a writer.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const head = Buffer.alloc(headBytes);
    return head.subarray(0, readSync(file, head));
  } catch {
    return Buffer.alloc(0);
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
