import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publishedPackages, readJson, root } from '../workspace.mjs';

interface Target {
  readonly '@hexagent/source'?: string;
  readonly types?: string;
}

/** What `exports` must become on publishing: the same, without the condition that leads to sources. */
function withoutSources(exported: Readonly<Record<string, Target | string>>): unknown {
  return Object.fromEntries(
    Object.entries(exported).map(([subpath, target]) => {
      if (typeof target === 'string') return [subpath, target];
      const { '@hexagent/source': _source, ...rest } = target;
      return [subpath, rest];
    }),
  );
}

const packages = publishedPackages();

/** The sources that hand on whatever another source has. A list in them would be the same list again. */
const mirrors: Readonly<Record<string, readonly string[]>> = {
  '@hexagent/claude-agent-sdk': ['src/index.ts'],
  // `doors.test.ts` compares its names with those of the official package.
  '@hexagent/official-api': ['src/official.ts'],
  '@hexagent/sdk': ['src/claude-agent-sdk.ts'],
};

it('There are packages to read', () => {
  expect(packages.length).toBeGreaterThanOrEqual(15);
});

it('The oldest MCP SDK that a package accepts is one that it is tested with', () => {
  const { devDependencies }: { devDependencies: object } = readJson(path.join(root, 'e2e/package.json'));
  const older = Object.values(devDependencies).flatMap(
    (range: string) => /^npm:@modelcontextprotocol\/sdk@(.*)$/.exec(range)?.[1] ?? [],
  );
  // One has the peers of the official package, whatever they are.
  const ours = packages.filter(({ name }) => name !== '@hexagent/claude-agent-sdk');
  const accepted = ours.flatMap(({ manifest }) => manifest.peerDependencies?.['@modelcontextprotocol/sdk'] ?? []);
  expect(accepted.length).toBeGreaterThan(2);
  expect([...new Set(accepted)].toSorted()).toEqual(older.map((version) => `^${version}`).toSorted());
});

describe.each(packages)('The package $name', ({ folder, dir, name, manifest }) => {
  it('is named like its folder', () => {
    expect(name).toBe(`@hexagent/${path.basename(folder)}`);
  });

  it('describes truthfully what it is and where it runs', () => {
    expect(manifest).toMatchObject({
      type: 'module',
      license: 'MIT',
      engines: { node: '^20.19.0 || ^22.13.0 || >=24.0.0' },
    });
    expect(manifest).toHaveProperty('sideEffects');
    expect(manifest.description).toBeTruthy();
  });

  it('is published for everybody, with a statement of where it was built', () => {
    expect(manifest.publishConfig).toMatchObject({ access: 'public', provenance: true });
  });

  it('publishes every entry, and no way to its sources', () => {
    expect(manifest.publishConfig.exports).toEqual(withoutSources(manifest.exports));
    for (const target of Object.values<Target | string>(manifest.exports)) {
      const source = typeof target === 'string' ? target : target['@hexagent/source'];
      expect(source && existsSync(path.join(dir, source)), source).toBe(true);
    }
  });

  it('names where its sources are', () => {
    const { repository } = readJson(path.join(root, 'package.json'));
    expect(manifest.repository).toEqual({ ...repository, directory: folder });
  });

  it('builds after what it depends on', () => {
    const { references } = readJson(path.join(dir, 'tsconfig.json'));
    const referenced = references.map((reference: { readonly path: string }) => path.join(folder, reference.path));
    const needed = packages.filter((other) => other.name in (manifest.dependencies ?? {})).map((other) => other.folder);
    expect(referenced.toSorted()).toEqual(needed.toSorted());
    expect(readJson(path.join(root, 'tsconfig.json')).references).toContainEqual({ path: folder });
  });

  it('has a README', () => {
    expect(readFileSync(path.join(dir, 'README.md'), 'utf8')).toContain(`# ${name}`);
  });

  it('exports by name from sources that do not force a type', () => {
    const sources = globSync('src/**/*.ts', { cwd: dir });
    const text = (file: string) => readFileSync(path.join(dir, file), 'utf8');
    expect(sources.filter((file) => /^export \* from/m.test(text(file)))).toEqual(mirrors[name] ?? []);
    expect(sources.filter((file) => /\bas unknown as\b/.test(text(file)))).toEqual([]);
    expect(sources.filter((file) => path.basename(file) === 'index.ts').length).toBeLessThanOrEqual(
      Object.values<Target | string>(manifest.exports).filter((target) => typeof target !== 'string').length,
    );
  });
});
