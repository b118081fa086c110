import { posix, win32 } from 'node:path';
import { isAbsolutePath, isBareName } from './absolute-path.ts';
import type { HostEnvironment } from './host-environment.ts';
import { describePackageSearch, installationHint, searchPackages } from './platform-packages.ts';
import { searchPath } from './search-path.ts';
import { findUntrusted } from './trusted-owners.ts';

/** A program, and what named it or where it was found, for messages. */
export interface FoundProgram {
  readonly path: string;
  readonly through: string;
}

/** `missing`: nothing was found. `unusable`: a batch file was found, which cannot be started safely. */
export type CliSearch = FoundProgram | { readonly failure: 'missing' | 'unusable'; readonly message: string };

const variables = ['CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH'] as const;

/**
 * Finds the CLI: what was named explicitly, then what was installed for the application or the SDK, then `PATH`, then
 * the usual places of installers. The current folder is never searched. A path that was given is final: whether it
 * leads to a program is not checked here.
 * @param executable an absolute path, or a name in `PATH`
 */
export function findCli(host: HostEnvironment, executable?: string): CliSearch {
  if (executable !== undefined) return findNamed(executable, 'the option `executable`', host);
  for (const variable of variables) {
    const value = host.env(variable);
    if (value) return findNamed(value, variable, host);
  }
  const packages = searchPackages(host);
  if (packages.path !== undefined) return { path: unpacked(packages.path), through: 'its package' };
  const inPath = searchPath('claude', host);
  if (inPath.path !== undefined) return runnable({ path: inPath.path, through: 'PATH' }, host);
  // A home may be a folder that every user may write to.
  const usual = usualPlaces(host).find(
    (path) => host.inspect(path) === 'file' && findUntrusted(path, host) === undefined,
  );
  if (usual !== undefined) return runnable({ path: usual, through: 'a usual place' }, host);
  return { failure: 'missing', message: describeSearch(host, [...packages.skipped, ...inPath.skipped]) };
}

function findNamed(name: string, through: string, host: HostEnvironment): CliSearch {
  if (isAbsolutePath(name, host.platform)) return runnable({ path: unpacked(name), through }, host);
  if (!isBareName(name, host.platform)) {
    const message = `${through} is the relative path ${name}, which leads to another file in each folder. Give an absolute path.`;
    return { failure: 'missing', message };
  }
  const { path, skipped } = searchPath(name, host);
  if (path !== undefined) return runnable({ path: unpacked(path), through }, host);
  const message =
    `There is no program ${name} in PATH (${host.env('PATH') ?? 'not set'}), which was named by ${through}. ` +
    `To name a file, give its path.${skippedNote(skipped)}`;
  return { failure: 'missing', message };
}

/** Electron shows files inside its archive, but the system cannot run them there; packagers put them beside it. */
function unpacked(path: string): string {
  return path.replace(/\.asar(?=[\\/])/, '.asar.unpacked');
}

/** Batch files need a shell, which would read the arguments in its own way: what they lead to is run instead. */
function runnable(found: FoundProgram, host: HostEnvironment): CliSearch {
  const { path, through } = found;
  if (host.platform !== 'win32' || !/\.(?:cmd|bat)$/i.test(path)) return found;
  const lead = /"%(?:~dp0|dp0%)\\?([^"]+\.(?:exe|[cm]?js))"/gi;
  const targets = [...host.read(path).matchAll(lead)].map((match) => win32.join(win32.dirname(path), match[1] ?? ''));
  const target = targets.find((candidate) => !/[\\/]node\.exe$/i.test(candidate) && host.inspect(candidate) === 'file');
  if (target !== undefined) return { path: target, through };
  const message = `${path} is a batch file, which cannot be started safely. Name claude.exe, or the script it runs.`;
  return { failure: 'unusable', message };
}

/** The places in which installers put the CLI. Folders that are named by a relative path are left out. */
function usualPlaces(host: HostEnvironment): readonly string[] {
  const isAbsolute = (path: string): boolean => isAbsolutePath(path, host.platform);
  const home = host.homes.find(isAbsolute);
  if (host.platform === 'win32') {
    const roaming = [host.env('APPDATA'), home && win32.join(home, 'AppData', 'Roaming')].find(
      (path) => path && isAbsolute(path),
    );
    return [
      ...(home ? [win32.join(home, '.local', 'bin', 'claude.exe')] : []),
      ...(roaming ? [win32.join(roaming, 'npm', 'claude.cmd')] : []),
    ];
  }
  const inHome = (path: string): readonly string[] => (home === undefined ? [] : [posix.join(home, path)]);
  const places = [
    ...inHome('.local/bin/claude'),
    ...inHome('.claude/local/claude'),
    posix.join(posix.dirname(host.execPath), 'claude'), // where npm installs globally
    ...inHome('.npm-global/bin/claude'),
    ...inHome('.bun/bin/claude'),
    '/opt/homebrew/bin/claude',
    '/usr/local/bin/claude',
    '/usr/bin/claude',
  ];
  return places.filter(isAbsolute);
}

function describeSearch(host: HostEnvironment, skipped: readonly string[]): string {
  const places = [
    ...variables.map((variable) => `${variable} (not set)`),
    ...describePackageSearch(host),
    `PATH (${host.env('PATH') ?? 'not set'})`,
    ...usualPlaces(host),
  ];
  const list = [...new Set(places)].map((place) => `\n  - ${place}`).join('');
  return `The Claude Code CLI was not found. ${installationHint(host)}\nLooked at:${list}${skippedNote(skipped)}`;
}

function skippedNote(skipped: readonly string[]): string {
  return skipped.length === 0 ? '' : `\nSkipped:${skipped.map((place) => `\n  - ${place}`).join('')}`;
}
