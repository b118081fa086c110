import { basename } from 'node:path';
import { SdkError, type Launch } from '@hexagent/ports';
import {
  checkFile,
  checkInterpreter,
  checkProgram,
  findCli,
  isBareName,
  readHostEnvironment,
  refuseNulInOptions,
  searchPath,
  type HostEnvironment,
  type Program,
} from '@hexagent/processes';
import type { FixedOptions } from './program-options.ts';

const scriptSuffix = /\.(?:[cm]?[jt]s|[jt]sx)$/;

/** Whether a program is run by an interpreter, by its name. */
export const isScript = (path: string): boolean => scriptSuffix.test(path);

const codes = { missing: 'AGENT_NOT_FOUND', unusable: 'AGENT_NOT_EXECUTABLE' } as const;

/**
 * Finds the program of a launch, and checks it.
 * @throws {SdkError} with the code that names what is missing
 * @throws {TypeError} for an option that no system takes
 */
export function findProgram(options: FixedOptions, env: Launch['env']): Program {
  const { executable, interpreter, interpreterArgs = [], resolveFrom, platform, problem } = options;
  refuseNulInOptions({ executable, interpreter, interpreterArgs, resolveFrom });
  if (problem !== undefined) throw problem;
  const host = readHostEnvironment({ env, resolveFrom, platform });
  const found = findCli(host, executable);
  if ('failure' in found) throw new SdkError(codes[found.failure], found.message);
  if (!isScript(found.path)) {
    const [file = found.path, ...args] = checkProgram(found, env['PATH'], host);
    return { file, args: [...args, ...interpreterArgs] };
  }
  const file = interpreterOf(options, host);
  checkFile(found);
  checkInterpreter(found.path, file);
  return { file, args: [...interpreterArgs, found.path] };
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
