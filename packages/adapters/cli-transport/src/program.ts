import { basename } from 'node:path';
import { SdkError, type Launch } from '@hexagent/ports';
import { findOnPath, locate } from './locating.ts';
import { checkFile, checkInterpreter, checkProgram } from './preflight.ts';
import { systemSurroundings, type Surroundings } from './surroundings.ts';

export interface ProgramOptions {
  readonly executable?: string | undefined;
  readonly interpreter?: string | undefined;
  readonly interpreterArgs?: readonly string[] | undefined;
  readonly resolveFrom?: string | URL | undefined;
  readonly platform?: NodeJS.Platform | undefined;
}

/** What is run: the launch's arguments follow these. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

const scriptSuffix = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Variables that decide which program it is. */
const deciding = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH', 'PATH', 'HOME'] as const;

/** Finds the program once, and checks it once: only a failure makes it look again. */
export class ProgramFinder {
  readonly #options: ProgramOptions;
  #key = '';
  #program: Program | undefined;

  constructor(options: ProgramOptions) {
    this.#options = options;
  }

  /** @throws {SdkError} with the code that names what is missing; it may be there next time */
  find(env: Launch['env']): Program {
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

function findProgram(options: ProgramOptions, env: Launch['env']): Program {
  const { resolveFrom, platform, executable, interpreterArgs = [] } = options;
  const seen = systemSurroundings({ env, resolveFrom, platform });
  const located = locate(seen, executable);
  if (!scriptSuffix.test(located.path)) {
    checkProgram(located, env['PATH'], seen);
    return { file: located.path, args: interpreterArgs };
  }
  const file = interpreterOf(options, seen);
  checkFile(located);
  checkInterpreter(located.path, file);
  return { file, args: [...interpreterArgs, located.path] };
}

function interpreterOf({ interpreter }: ProgramOptions, seen: Surroundings): string {
  // The Node that runs this program is certainly there; another host, such as Electron, does not run scripts like it.
  const named = interpreter ?? (/^(?:node|bun)/i.test(basename(seen.execPath)) ? seen.execPath : 'node');
  if (/[\\/]/.test(named)) return named;
  const found = findOnPath(named, seen);
  if (found !== undefined) return found;
  throw new SdkError(
    'AGENT_INTERPRETER_MISSING',
    `${named}, which runs scripts, is not in PATH (${seen.env('PATH') ?? 'not set'}).`,
  );
}
