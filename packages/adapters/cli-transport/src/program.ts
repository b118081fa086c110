import { statSync, type Stats } from 'node:fs';
import { basename } from 'node:path';
import { SdkError, type Launch } from '@hexagent/ports';
import {
  checkFile,
  checkInterpreter,
  checkProgram,
  findCli,
  isBareName,
  readHostEnvironment,
  readHostVariable,
  refuseNulInOptions,
  searchPath,
  type HostEnvironment,
  type Program,
} from '@hexagent/processes';
import { fixOptions, type FixedOptions, type ProgramOptions } from './program-options.ts';

const scriptSuffix = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether a program is run by an interpreter, by its name. */
export const isScript = (path: string): boolean => scriptSuffix.test(path);

/** Variables that decide which program it is. */
const deciding = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH', 'PATH', 'HOME', 'USERPROFILE', 'APPDATA'] as const;

type FileState = Pick<Stats, 'dev' | 'ino' | 'size' | 'mtimeMs' | 'mode'> | undefined;

/** A program that was found and checked, in the state that its file had then. */
interface Checked {
  readonly program: Program;
  readonly path: string;
  readonly state: FileState;
  readonly key: string;
}

/** Finds the program once, and checks it once: a failure, another file and other variables start a new search. */
export class ProgramFinder {
  readonly #options: FixedOptions;
  #checked: Checked | undefined;

  /** @throws {TypeError} that names a wrong option */
  constructor(options: ProgramOptions) {
    this.#options = fixOptions(options);
  }

  /**
   * @throws {SdkError} with the code that names what is missing; it may be there next time
   * @throws {TypeError} for an option that no system takes
   */
  find(env: Launch['env']): Program {
    const { executable, interpreter, interpreterArgs, resolveFrom, platform } = this.#options;
    // The launch's own `PATH` beside the one that is searched: without one, the program's first line is checked in another way.
    const key = JSON.stringify([env['PATH'], ...deciding.map((name) => readHostVariable(name, { env, platform }))]);
    const cached = this.#checked;
    if (cached !== undefined && key === cached.key && isSame(cached.state, stateOf(cached.path))) return cached.program;
    this.forget();
    refuseNulInOptions({ executable, interpreter, interpreterArgs, resolveFrom });
    if (this.#options.problem !== undefined) throw this.#options.problem;
    const { program, path } = findProgram(this.#options, env, readHostEnvironment({ env, resolveFrom, platform }));
    this.#checked = { program, path, state: stateOf(path), key };
    return program;
  }

  forget(): void {
    this.#checked = undefined;
  }
}

/** Changes with the file; `undefined` when it cannot be reached, which finding it explains. */
function stateOf(path: string): FileState {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** Compared by field, since a text of them would take longer than reading them. */
function isSame(one: FileState, other: FileState): boolean {
  return (
    one?.ino === other?.ino &&
    one?.mtimeMs === other?.mtimeMs &&
    one?.size === other?.size &&
    one?.mode === other?.mode &&
    one?.dev === other?.dev
  );
}

const codes = { missing: 'AGENT_NOT_FOUND', unusable: 'AGENT_NOT_EXECUTABLE' } as const;

function findProgram(
  options: FixedOptions,
  env: Launch['env'],
  host: HostEnvironment,
): Pick<Checked, 'program' | 'path'> {
  const { executable, interpreterArgs = [] } = options;
  const found = findCli(host, executable);
  if ('failure' in found) throw new SdkError(codes[found.failure], found.message);
  if (!isScript(found.path)) {
    const [file = found.path, ...args] = checkProgram(found, env['PATH'], host);
    return { program: { file, args: [...args, ...interpreterArgs] }, path: found.path };
  }
  const file = interpreterOf(options, host);
  checkFile(found);
  checkInterpreter(found.path, file);
  return { program: { file, args: [...interpreterArgs, found.path] }, path: found.path };
}

function interpreterOf({ interpreter }: FixedOptions, host: HostEnvironment): string {
  // The Node that runs this program is certainly there; another host, such as Electron, does not run scripts like it.
  const named = interpreter ?? (/^(?:node|bun)/i.test(basename(host.execPath)) ? host.execPath : 'node');
  if (!isBareName(named, host.platform)) return named;
  const { path } = searchPath(named, host);
  if (path !== undefined) return path;
  throw new SdkError(
    'AGENT_INTERPRETER_MISSING',
    `${named}, which runs scripts, is not in PATH (${host.env('PATH') ?? 'not set'}).`,
  );
}
