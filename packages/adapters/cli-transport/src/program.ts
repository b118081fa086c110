import { basename, resolve } from 'node:path';
import { SdkError, type Launch } from '@hexagent/ports';
import {
  findCli,
  isAbsolutePath,
  isBareName,
  readHostEnvironment,
  searchPath,
  type HostEnvironment,
} from '@hexagent/processes';
import { currentFolder } from './current-folder.ts';
import { refuseNulInOptions } from './nul-characters.ts';
import { checkFile, checkInterpreter, checkProgram } from './preflight.ts';

export interface ProgramOptions {
  readonly executable?: string | undefined;
  readonly interpreter?: string | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly resolveFrom?: string | URL | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** What is run: the launch's arguments follow these. The file is absolute, so that no folder decides what it is. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

const scriptSuffix = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Variables that decide which program it is. */
const deciding = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH', 'PATH', 'HOME', 'USERPROFILE', 'APPDATA'] as const;

/** Finds the program once, and checks it once: only a failure makes it look again. */
export class ProgramFinder {
  readonly #options: ProgramOptions;
  /** Why a relative path among the options leads nowhere. */
  readonly #problem: string | undefined;
  #key = '';
  #program: Program | undefined;

  /** Takes relative paths among the options from the folder in which this process works now. */
  constructor(options: ProgramOptions) {
    const { executable, interpreter, resolveFrom, platform = process.platform } = options;
    const relative = Object.entries({ executable, interpreter, resolveFrom }).filter(
      (option): option is [string, string] => isRelative(option, platform),
    );
    const folder = relative.length === 0 ? undefined : currentFolder();
    const from = folder !== undefined && 'path' in folder ? folder.path : undefined;
    const resolved = from === undefined ? [] : relative.map(([name, path]) => [name, resolve(from, path)]);
    this.#options = { ...options, ...Object.fromEntries(resolved) };
    if (folder !== undefined && 'problem' in folder)
      this.#problem = `The option \`${relative[0]?.[0]}\` is the relative path ${relative[0]?.[1]}, but the folder that this program works in ${folder.problem}. Give an absolute path.`;
  }

  /**
   * @throws {SdkError} with the code that names what is missing; it may be there next time
   * @throws {TypeError} for an option that no system takes
   */
  find(env: Launch['env']): Program {
    refuseNulInOptions({ ...this.#options });
    if (this.#problem !== undefined) throw new SdkError('AGENT_NOT_FOUND', this.#problem);
    const key = JSON.stringify(deciding.map((name) => env[name] ?? process.env[name]));
    if (this.#program !== undefined && key === this.#key) return this.#program;
    this.forget();
    this.#program = findProgram(this.#options, env);
    this.#key = key;
    return this.#program;
  }

  forget(): void {
    this.#program = undefined;
  }
}

function isRelative([name, path]: [string, string | URL | undefined], platform: NodeJS.Platform): boolean {
  if (typeof path !== 'string' || isAbsolutePath(path, platform)) return false;
  return name === 'resolveFrom' ? !path.startsWith('file:') : !isBareName(path, platform);
}

const codes = { missing: 'AGENT_NOT_FOUND', unusable: 'AGENT_NOT_EXECUTABLE' } as const;

function findProgram(options: ProgramOptions, env: Launch['env']): Program {
  const { resolveFrom, platform, executable, interpreterArgs = [] } = options;
  const host = readHostEnvironment({ env, resolveFrom, platform });
  const found = findCli(host, executable);
  if ('failure' in found) throw new SdkError(codes[found.failure], found.message);
  if (!scriptSuffix.test(found.path)) {
    const [file = found.path, ...args] = checkProgram(found, env['PATH'], host);
    return { file, args: [...args, ...interpreterArgs] };
  }
  const file = interpreterOf(options, host);
  checkFile(found);
  checkInterpreter(found.path, file);
  return { file, args: [...interpreterArgs, found.path] };
}

function interpreterOf({ interpreter }: ProgramOptions, host: HostEnvironment): string {
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
