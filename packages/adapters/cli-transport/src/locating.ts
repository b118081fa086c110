import { posix, win32 } from 'node:path';
import { SdkError } from '@hexagent/ports';
import { howToInstall, inPackages, packagesLookedAt } from './platform-packages.ts';
import type { Surroundings } from './surroundings.ts';

/** A program, and who named it. */
export interface Located {
  readonly path: string;
  /** For messages: what it was found through. */
  readonly through: string;
}

const variables = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH'] as const;

/**
 * Finds the CLI: what was named explicitly, then what the application installed, then what the person installed.
 * A name that was given is final; that it exists is checked before it is started, not here.
 * @throws {SdkError} `AGENT_NOT_FOUND`, naming every place that was looked at.
 */
export function locate(seen: Surroundings, executable?: string): Located {
  if (executable !== undefined) return asGiven(executable, 'the option `executable`', seen);
  for (const variable of variables) {
    const value = seen.env(variable);
    if (value) return asGiven(value, variable, seen);
  }
  const packaged = inPackages(seen);
  if (packaged !== undefined) return { path: unpacked(packaged), through: 'its package' };
  const onPath = findOnPath('claude', seen);
  if (onPath !== undefined) return { path: runnable(onPath, seen), through: 'PATH' };
  const usual = usualPlaces(seen).find((path) => seen.isFile(path));
  if (usual !== undefined) return { path: runnable(usual, seen), through: 'a usual place' };
  throw notFound(seen);
}

/** The program of that name in `PATH`, as a shell would find it. */
export function findOnPath(
  name: string,
  seen: Surroundings,
  path: string | undefined = seen.env('PATH'),
): string | undefined {
  const { resolve, delimiter } = pathOf(seen);
  const names = seen.platform === 'win32' ? [`${name}.exe`, `${name}.cmd`] : [name];
  // An empty entry would mean the current folder: nobody's agent is looked for there.
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders
    .flatMap((folder) => names.map((file) => resolve(seen.cwd, folder, file)))
    .find((file) => seen.isFile(file) && (seen.platform === 'win32' || seen.isExecutable(file)));
}

function asGiven(value: string, through: string, seen: Surroundings): Located {
  // A bare name is looked up like a command. A path is meant from here, not from where the agent will work.
  const bare = !/[\\/]/.test(value);
  const path = (bare ? findOnPath(value, seen) : undefined) ?? pathOf(seen).resolve(seen.cwd, value);
  return { path: runnable(unpacked(path), seen), through };
}

/** Electron shows files inside its archive, but the system cannot run them there; packagers put them beside it. */
function unpacked(path: string): string {
  return path.replace(/\.asar(?=[\\/])/, '.asar.unpacked');
}

/** Batch files need a shell, which would read the arguments in its own way: what they lead to is run instead. */
function runnable(path: string, seen: Surroundings): string {
  if (seen.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return path;
  const lead = /"%(?:~dp0|dp0%)\\?([^"]+\.(?:exe|[cm]?js))"/gi;
  const targets = [...seen.read(path).matchAll(lead)].map((match) => win32.join(win32.dirname(path), match[1] ?? ''));
  const target = targets.find((candidate) => !/[\\/]node\.exe$/i.test(candidate) && seen.isFile(candidate));
  if (target !== undefined) return target;
  throw new SdkError(
    'AGENT_NOT_EXECUTABLE',
    `${path} is a batch file, which cannot be started safely. Name claude.exe, or the script it runs.`,
  );
}

function usualPlaces(seen: Surroundings): readonly string[] {
  const { join, dirname } = pathOf(seen);
  const { home } = seen;
  if (seen.platform === 'win32') {
    const roaming = seen.env('APPDATA') ?? join(home, 'AppData', 'Roaming');
    return [join(home, '.local', 'bin', 'claude.exe'), join(roaming, 'npm', 'claude.cmd')];
  }
  return [
    join(home, '.local', 'bin', 'claude'),
    join(home, '.claude', 'local', 'claude'),
    join(dirname(seen.execPath), 'claude'), // where npm installs globally
    join(home, '.npm-global', 'bin', 'claude'),
    join(home, '.bun', 'bin', 'claude'),
    '/opt/homebrew/bin/claude',
    '/usr/local/bin/claude',
    '/usr/bin/claude',
  ];
}

function notFound(seen: Surroundings): SdkError {
  const places = [
    ...variables.map((variable) => `${variable} (not set)`),
    ...packagesLookedAt(seen),
    `PATH (${seen.env('PATH') ?? 'not set'})`,
    ...usualPlaces(seen),
  ];
  const list = [...new Set(places)].map((place) => `\n  - ${place}`).join('');
  return new SdkError('AGENT_NOT_FOUND', `The Claude Code CLI was not found. ${howToInstall(seen)}\nLooked at:${list}`);
}

function pathOf({ platform }: Surroundings): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
