import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SdkError } from '@hexagent/ports';
import { currentFolder, isAbsolutePath, isBareName } from '@hexagent/processes';

export interface ProgramOptions {
  /**
   * The CLI, or any program that behaves like it: a path, or a name to be found in `PATH`. A script (`.js`, `.mjs`,
   * `.ts`, …) is run by `interpreter`. Left out, the CLI is searched for. A relative path is taken from the folder in
   * which the program works when the transport is made.
   */
  readonly executable?: string | undefined;
  /** Runs scripts. Default: the Node that runs this program. */
  readonly interpreter?: string | undefined;
  /** Come before the script, or before the arguments of a program that is not a script. */
  readonly interpreterArgs?: readonly string[] | undefined;
  /** A folder or a module whose installed packages are searched. Default: the program's entry file, then the SDK's own. */
  readonly resolveFrom?: string | URL | undefined;
  /** For tests: behave as on another system. */
  readonly platform?: NodeJS.Platform | undefined;
}

/** Options with absolute paths. */
export interface FixedOptions extends ProgramOptions {
  readonly resolveFrom?: string | undefined;
  /** Why a relative path among them leads nowhere. */
  readonly problem?: SdkError | undefined;
}

/**
 * Resolves relative paths in the folder in which this process works now. A missing folder is reported when they are used.
 * @throws {TypeError} that names the option
 */
export function fixOptions(options: ProgramOptions): FixedOptions {
  const { executable, interpreter, interpreterArgs, resolveFrom, platform = process.platform } = options;
  for (const [name, value] of Object.entries({ executable, interpreter }))
    if (value !== undefined && typeof value !== 'string') throw refusal(name, 'a path or the name of a program');
  if (interpreterArgs !== undefined && !isListOfStrings(interpreterArgs))
    throw refusal('interpreterArgs', 'a list of strings');
  const paths = {
    executable: executable === undefined || isBareName(executable, platform) ? undefined : executable,
    interpreter: interpreter === undefined || isBareName(interpreter, platform) ? undefined : interpreter,
    resolveFrom: resolveFrom === undefined ? undefined : toPath(resolveFrom),
  };
  const absolute: Record<string, string> = {};
  for (const [name, path] of Object.entries(paths)) {
    if (path === undefined) continue;
    const folder = isAbsolutePath(path, platform) ? { path: '' } : currentFolder();
    if ('problem' in folder)
      return { ...options, resolveFrom: undefined, problem: unreachable(name, path, folder.problem) };
    // Left as it is when it is absolute: it may be of another system, in a test.
    absolute[name] = folder.path === '' ? path : resolve(folder.path, path);
  }
  return { ...options, resolveFrom: undefined, ...absolute };
}

function unreachable(name: string, path: string, problem: string): SdkError {
  const message = `The option \`${name}\` is the relative path ${path}, but the folder that this program works in ${problem}. Give an absolute path.`;
  return new SdkError('AGENT_NOT_FOUND', message);
}

/** Programs in JavaScript pass anything. */
function toPath(place: unknown): string {
  const isUrl = place instanceof URL || (typeof place === 'string' && place.startsWith('file:'));
  if (!isUrl && typeof place === 'string') return place;
  try {
    if (isUrl) return fileURLToPath(place);
  } catch {
    // Of another scheme, or of another machine: refused below.
  }
  throw refusal('resolveFrom', 'a path or a file URL');
}

function isListOfStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function refusal(name: string, wanted: string): TypeError {
  return new TypeError(`The option \`${name}\` must be ${wanted}.`);
}
