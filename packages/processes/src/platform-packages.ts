import { posix, win32 } from 'node:path';
import type { HostEnvironment, SearchRoot } from './host-environment.ts';
import { findUntrusted } from './trusted-owners.ts';

/**
 * What the names of the builds begin with, and the packages that bring them for each platform, as optional dependencies.
 * In one folder the builds that come with an SDK win: its tests ran with that version.
 */
const sources = [
  {
    main: '@anthropic-ai/claude-agent-sdk',
    carriers: ['@anthropic-ai/claude-agent-sdk', '@hexagent/claude-agent-sdk', '@hexagent/sdk'],
  },
  { main: '@anthropic-ai/claude-code', carriers: ['@anthropic-ai/claude-code'] },
] as const;

type Source = (typeof sources)[number];

const builtFor = /^(?:darwin|linux|win32)-(?:x64|arm64)$/;

export interface PackageSearch {
  readonly path: string | undefined;
  /** Folders that were not searched, each with the reason. */
  readonly skipped: readonly string[];
}

/** Builds of one package in one place, by their names. */
type Found = ReadonlyMap<string, string>;

/**
 * The CLI that was installed for the application or the SDK. The nearest folder wins, whatever the package in it is
 * called: a package in a parent folder must not come before the one that the application installed.
 */
export function searchPackages(host: HostEnvironment): PackageSearch {
  const skipped: string[] = [];
  for (const root of host.roots) {
    for (const folder of foldersAbove(root.folder, host)) {
      for (const source of sources) {
        const path = pickBuild(buildsIn(folder, source, { root, skipped, host }), host);
        if (path !== undefined) return { path, skipped };
      }
    }
    const path = pickPlugAndPlay(root, host);
    if (path !== undefined) return { path, skipped };
  }
  return { path: undefined, skipped: [...new Set(skipped)] };
}

interface Search {
  readonly root: SearchRoot;
  readonly skipped: string[];
  readonly host: HostEnvironment;
}

/** The builds in a folder's `node_modules`. Builds that an installed carrier reaches come first. */
function buildsIn(folder: string, { main, carriers }: Source, search: Search): Found {
  const { host } = search;
  for (const carrier of carriers) {
    const installed = packageIn(folder, carrier, search);
    if (installed === undefined) continue;
    // In a strict tree the package is a link, and its builds are its neighbours in another place.
    const outside = foldersAbove(folder, host);
    for (const place of foldersAbove(host.realPath(installed), host)) {
      if (outside.includes(place)) break;
      const found = directBuildsIn(place, main, search);
      if (found.size > 0) return found;
    }
  }
  return directBuildsIn(folder, main, search);
}

function directBuildsIn(folder: string, main: string, search: Search): Found {
  const { host } = search;
  const found = new Map<string, string>();
  for (const build of builds(host)) {
    const installed = packageIn(folder, `${main}-${build}`, search);
    const program = installed && pathOf(host).join(installed, programName(host));
    if (program !== undefined && host.inspect(program) === 'file') found.set(build, host.realPath(program));
  }
  return found;
}

/** The folder of an installed package, unless another user put it into a folder that every user may write to. */
function packageIn(folder: string, name: string, { root, skipped, host }: Search): string | undefined {
  const installed = pathOf(host).join(folder, 'node_modules', ...name.split('/'));
  if (host.inspect(installed) !== 'folder') return undefined;
  const stranger = findUntrusted(installed, host, root.owner);
  if (stranger === undefined) return installed;
  skipped.push(`${stranger} (put there by another user, where everybody may write)`);
  return undefined;
}

function pickBuild(found: Found, host: HostEnvironment): string | undefined {
  if (found.size < 2) return [...found.values()][0];
  // Asked only where there is a choice: Node makes a whole report to answer it, which takes long.
  return [...found].find(([build]) => build.endsWith('-musl') === (host.libc() === 'musl'))?.[1];
}

function pickPlugAndPlay({ path }: SearchRoot, host: HostEnvironment): string | undefined {
  for (const { main } of sources) {
    const installed = host.resolvePlugAndPlay(`${main}/package.json`, path) ?? host.resolvePlugAndPlay(main, path);
    const found = new Map<string, string>();
    for (const build of builds(host)) {
      const request = `${main}-${build}/${programName(host)}`;
      const program =
        (installed && host.resolvePlugAndPlay(request, installed)) ?? host.resolvePlugAndPlay(request, path);
      if (program !== undefined) found.set(build, program);
    }
    const picked = pickBuild(found, host);
    if (picked !== undefined) return picked;
  }
  return undefined;
}

/** The folder and those above it, without those that Node does not search. */
function foldersAbove(folder: string, host: HostEnvironment): readonly string[] {
  const { dirname, basename } = pathOf(host);
  const above: string[] = [];
  for (let place = folder; ; place = dirname(place)) {
    const isTop = dirname(place) === place;
    // On Windows every user may create folders at the top of a drive.
    const isOpenToAll = isTop && host.platform === 'win32' && place !== folder;
    if (basename(place) !== 'node_modules' && !isOpenToAll) above.push(place);
    if (isTop) return above;
  }
}

/** The names of the builds that could run here; the one made for this libc comes first. Empty where there is none. */
function builds({ platform, arch }: HostEnvironment): readonly string[] {
  const name = `${platform}-${arch}`;
  if (!builtFor.test(name)) return [];
  return platform === 'linux' ? [name, `${name}-musl`] : [name];
}

function programName({ platform }: HostEnvironment): string {
  return platform === 'win32' ? 'claude.exe' : 'claude';
}

function pathOf({ platform }: HostEnvironment): typeof posix {
  return platform === 'win32' ? win32 : posix;
}

/** The places of a search, for the error that lists them. */
export function describePackageSearch(host: HostEnvironment): readonly string[] {
  if (host.roots.length === 0) return ['installed packages (this program has no file to search from)'];
  const from = host.roots.map(({ path }) => path).join(' and ');
  return sources.flatMap(({ main }) => builds(host).map((build) => `${main}-${build}, seen from ${from}`));
}

/** The command that installs the CLI on this system. */
export function installationHint(host: HostEnvironment): string {
  const [plain, musl] = builds(host);
  if (plain === undefined) return `There is no build of the CLI for ${host.platform}-${host.arch}.`;
  const build = musl !== undefined && host.libc() === 'musl' ? musl : plain;
  const main = installedMain(host, build);
  if (main === undefined)
    return `Install it with: npm install @anthropic-ai/claude-code@latest (which brings @anthropic-ai/claude-code-${build}).`;
  return (
    `${main.name}@${main.version} is installed without its build for this system, as with --omit=optional. ` +
    `Install it with: npm install ${main.build}@${main.wanted}`
  );
}

/** The package to install where the installed one is built for the other libc. */
export function buildForLibc({ arch }: HostEnvironment, libc: 'glibc' | 'musl'): string {
  return `@anthropic-ai/claude-agent-sdk-linux-${arch}${libc === 'musl' ? '-musl' : ''}`;
}

interface InstalledMain {
  readonly name: string;
  readonly version: string;
  /** The name of that build. */
  readonly build: string;
  /** The version of the build that it asks for, which may differ from the version of the package. */
  readonly wanted: string;
}

/** Each package that may bring this build, and the name that the build has there. */
function carriersOf(build: string): readonly (readonly [name: string, build: string])[] {
  return sources.flatMap(({ main, carriers }) => carriers.map((name) => [name, `${main}-${build}`] as const));
}

function installedMain(host: HostEnvironment, build: string): InstalledMain | undefined {
  for (const root of host.roots) {
    for (const folder of foldersAbove(root.folder, host)) {
      for (const [name, wantedBuild] of carriersOf(build)) {
        const installed = packageIn(folder, name, { root, skipped: [], host });
        const manifest = installed === undefined ? '' : host.read(pathOf(host).join(installed, 'package.json'));
        const versionOf = (key: string): string | undefined =>
          new RegExp(`"${key}"\\s*:\\s*"([\\w.+-]+)"`).exec(manifest)?.[1];
        // One that asks for no build never had one: an early version, or another package under the name.
        const [version, wanted] = [versionOf('version'), versionOf(wantedBuild)];
        if (version !== undefined && wanted !== undefined) return { name, version, build: wantedBuild, wanted };
      }
    }
  }
  return undefined;
}
