import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { anyIn, whole } from './all-the-way-down.ts';
import { refuted } from './compare.ts';
import { official } from './facade.ts';
import { officialNames } from './official-names.ts';

/** The package that takes the official one's place, under its own name or under the official one. */
const ours = '@hexagent/claude-agent-sdk';

/** What an entry exports at run time without a type, and is not here. */
const untyped: Readonly<Record<string, readonly string[]>> = { '/browser': ['z'] };

/** Claims that do not hold, with the reason. */
const differences: Readonly<Record<string, string>> = {
  'is BrowserQueryOptions': 'A server is known by its form, so that no copy of the MCP SDK is needed.',
};

const folderOf = (name: string): string => dirname(fileURLToPath(import.meta.resolve(name)));
const manifestIn = (folder: string): { readonly exports: Readonly<Record<string, Target>> } =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

interface Target {
  readonly types: string;
  readonly default?: string;
}

const theirs = Object.entries(manifestIn(folderOf(official)).exports);
const mine = manifestIn(join(folderOf(ours), '..')).exports;
const subpath = (entry: string): string => entry.slice(1);
const entries = theirs.map(([entry]) => subpath(entry));
const running = theirs.filter(([, target]) => target.default).map(([entry]) => subpath(entry));

type Exports = Readonly<Record<string, unknown>>;
const load = async (entry: string): Promise<[Exports, Exports]> => [
  await import(`${official}${entry}`),
  await import(`${ours}${entry}`),
];

/** The names that the type file of an official entry declares. */
function typesOf(entry: string): readonly string[] {
  const [, target] = theirs.find(([name]) => subpath(name) === entry) ?? [];
  const text = readFileSync(join(folderOf(official), target?.types ?? ''), 'utf8');
  return [...text.matchAll(/^export (?:declare )?(?:type|interface) (\w+)\b/gm)].map(([, name = '']) => name);
}

describe('The entries of the official package', () => {
  it('are all there, with types and a program where the official one has them', () => {
    expect(entries).toEqual(['', '/core', '/extract', '/browser', '/bridge', '/sdk-tools', '/sdk-tools.js']);
    const kinds = (exported: readonly [string, Target][]): unknown =>
      exported.map(([entry, target]) => [entry, 'types' in target, 'default' in target]).toSorted();
    expect(kinds(Object.entries(mine).filter(([entry]) => entry !== './package.json'))).toEqual(kinds(theirs));
  });

  it.each(running)('have at run time what the official ones have: %s', async (entry) => {
    const [their, our] = await load(entry);
    const known = untyped[entry] ?? [];
    expect(Object.keys(their).filter((name) => !known.includes(name) && !(name in our))).toEqual([]);
    expect(Object.keys(our).filter((name) => !(name in their))).toEqual(entry === '' ? ['createQuery'] : []);
  });

  it('are the drop-in itself at the root, and a part of it at the core', async () => {
    const root: Exports = await import('@hexagent/claude-agent-sdk');
    expect(root).toEqual(await import('@hexagent/sdk/claude-agent-sdk'));
    for (const [name, value] of Object.entries<unknown>(await import(`${ours}/core`))) expect(root[name]).toBe(value);
  });
});

describe('The types of the entries', () => {
  it('are there under every official name of the core', async () => {
    const claims = officialNames()
      .filter(({ isType }) => isType)
      .map(({ name }) => ({ id: name, code: `import type { ${name} as its_${name} } from '${ours}/core';` }));
    expect([...(await refuted([], claims)).keys()]).toEqual([]);
  });

  it.each(['/browser', '/bridge', '/sdk-tools'])(
    'take what the official ones hold, are used as they are, all the way down, and hold no any: %s',
    async (entry) => {
      const names = typesOf(entry);
      const imports = [
        `import type * as official from '${official}${entry}';`,
        `import type * as ours from '${ours}${entry}';`,
        ...anyIn,
        whole,
        'type NoneOf<T> = [T] extends [never] ? true : T;',
      ];
      const claims = names.flatMap((name) => [
        { id: `takes ${name}`, code: `export const takes_${name} = (value: official.${name}): ours.${name} => value;` },
        { id: `is ${name}`, code: `export const is_${name} = (value: ours.${name}): official.${name} => value;` },
        {
          id: `takes ${name}`,
          code: `export const takes_all_of_${name} = (value: Whole<official.${name}>): Whole<ours.${name}> => value;`,
        },
        {
          id: `is ${name}`,
          code: `export const is_all_of_${name} = (value: Whole<ours.${name}>): Whole<official.${name}> => value;`,
        },
        { id: `is solid: ${name}`, code: `export const solid_${name}: NoneOf<AnyIn<ours.${name}>> = true;` },
      ]);
      expect(names.length).toBeGreaterThan(3);
      const wrong = await refuted(imports, claims);
      const known = new Set(claims.map(({ id }) => id).filter((id) => id in differences));
      expect([...wrong.keys()].toSorted(), JSON.stringify([...wrong])).toEqual([...known].toSorted());
    },
  );
});
