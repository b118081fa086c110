import type { Surroundings } from './surroundings.ts';

/** Packages that bring a build of the CLI for each platform, and what of them can be resolved. */
const mains = [
  { name: '@anthropic-ai/claude-agent-sdk', entry: '@anthropic-ai/claude-agent-sdk' },
  { name: '@anthropic-ai/claude-code', entry: '@anthropic-ai/claude-code/package.json' },
] as const;

const builtFor = /^(darwin|linux|win32)-(x64|arm64)$/;

/** The names of the builds that could run here; the one made for this libc comes first. Empty where there is none. */
function builds({ platform, arch }: Surroundings): readonly string[] {
  const name = `${platform}-${arch}`;
  if (!builtFor.test(name)) return [];
  return platform === 'linux' ? [name, `${name}-musl`] : [name];
}

/** The CLI in a package that the application installed, seen from the application or from the package that asked for it. */
export function inPackages(seen: Surroundings): string | undefined {
  for (const main of mains) {
    for (const application of seen.applications) {
      const found = builds(seen)
        .map((build) => ({ build, path: buildOf(main, build, application, seen) }))
        .filter(({ path }) => path !== undefined);
      // Asked only when there is a choice: it is the slowest question of all.
      if (found.length > 1)
        return found.find(({ build }) => build.endsWith('-musl') === (seen.libc() === 'musl'))?.path;
      if (found[0]) return found[0].path;
    }
  }
  return undefined;
}

function buildOf(
  main: (typeof mains)[number],
  build: string,
  application: string,
  seen: Surroundings,
): string | undefined {
  const request = `${main.name}-${build}/${seen.platform === 'win32' ? 'claude.exe' : 'claude'}`;
  // In a strict tree the build is a neighbour of the package that asked for it, out of the application's sight.
  const asking = seen.resolve(main.entry, application);
  return (asking === undefined ? undefined : seen.resolve(request, asking)) ?? seen.resolve(request, application);
}

/** For the error that says where was looked. */
export function packagesLookedAt(seen: Surroundings): readonly string[] {
  return mains.flatMap(({ name }) =>
    builds(seen).map((build) => `${name}-${build}, seen from ${seen.applications.join(' and ')}`),
  );
}

/** What to type, on this system. */
export function howToInstall(seen: Surroundings): string {
  const [plain, musl] = builds(seen);
  if (plain === undefined) return `There is no build of the CLI for ${seen.platform}-${seen.arch}.`;
  const build = musl !== undefined && seen.libc() === 'musl' ? musl : plain;
  for (const main of mains) {
    for (const application of seen.applications) {
      const asking = seen.resolve(main.entry, application);
      if (asking === undefined) continue;
      const version = versionBeside(asking, seen);
      return (
        `${main.name}${version} is installed without its build for this system, as with --omit=optional. ` +
        `Install it with: npm install ${main.name}-${build}${version}`
      );
    }
  }
  return `Install it with: npm install @anthropic-ai/claude-code (which brings @anthropic-ai/claude-code-${build}).`;
}

/** The package to install instead of one that was built for the other libc. */
export function buildForLibc(seen: Surroundings, libc: 'glibc' | 'musl'): string {
  return `@anthropic-ai/claude-agent-sdk-linux-${seen.arch}${libc === 'musl' ? '-musl' : ''}`;
}

function versionBeside(entry: string, seen: Surroundings): string {
  const manifest = seen.read(entry.replace(/[^\\/]+$/, 'package.json'));
  const version = /"version"\s*:\s*"([^"]+)"/.exec(manifest)?.[1];
  return version === undefined ? '' : `@${version}`;
}
