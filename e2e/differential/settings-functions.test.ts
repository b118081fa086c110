import type { ResolvedSettings, ResolvedSettingSource } from '@anthropic-ai/claude-agent-sdk';
import { expect, describe, it } from 'vitest';
import { sdks } from './sdks.ts';

/** Chance with a seed, so that a failure can be had again. */
class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  below(count: number): number {
    // xorshift: its lowest bits are as good as its others.
    this.#state ^= this.#state << 13;
    this.#state ^= this.#state >>> 17;
    this.#state ^= this.#state << 5;
    return (this.#state >>> 0) % count;
  }

  of<T>(values: readonly [T, ...T[]]): T {
    return values[this.below(values.length)] ?? values[0];
  }
}

const seeds = Array.from({ length: 20 }, (_, index) => index + 1);

describe('matchDeniedModels()', () => {
  const words: [string, ...string[]] = [
    'claude',
    'opus',
    'sonnet',
    'haiku',
    'fable',
    'foo',
    '4',
    '8',
    '1',
    '0',
    '10',
    '20260101',
    'latest',
    'fast',
    'v1',
    'v1:0',
    'x',
    '4.8',
    '04',
    '100',
    '',
    'é',
  ];
  const names: [string, ...string[]] = [
    'opus-4',
    'opus-4-8',
    '4-8-opus',
    '4-opus',
    'sonnet-5',
    'foo-2',
    'opus-4-0',
    'haiku-4-5',
  ];
  const prefixes: [string, ...string[]] = [
    'claude-',
    'claude-',
    'claude-',
    '',
    'us.anthropic.claude-',
    'anthropic/claude-',
    'ca.anthropic.claude-',
    'a/b/claude-',
  ];
  const suffixes: [string, ...string[]] = [
    '',
    '',
    '-20260101',
    '-latest',
    '-fast',
    '-v1:0',
    '@20260101',
    '-x',
    '-20260101-v1:0',
    '-fast-v1',
    '-x-y',
    ':0',
    '_x',
    '.1',
    '@x',
    '-1_x',
  ];
  const aliases: [string, ...string[]] = [
    'opus',
    'sonnet',
    'default',
    'best',
    'opusplan',
    'my-opus',
    'opus4',
    'fable',
    'haiku',
    '',
    ' ',
    'gpt-5',
    'custom',
  ];

  function nameBy(chance: Chance): string {
    const kind = chance.below(10);
    const plain =
      kind < 5
        ? chance.of(prefixes) + chance.of(names) + chance.of(suffixes)
        : kind < 8
          ? Array.from({ length: 1 + chance.below(5) }, () => chance.of(words)).join(
              chance.of(['-', '-', '-', '@', '.', '_', ':', '/', ' ']),
            )
          : chance.of(aliases);
    const tagged = plain + (chance.below(8) === 0 ? chance.of(['[1m]', ' [1m]', '[x]', '[2m]', '[1M]']) : '');
    return chance.below(8) === 0 ? chance.of([tagged.toUpperCase(), ` ${tagged} `]) : tagged;
  }

  it.each(seeds)(
    'denies the same models as in the official package, and notes as many entries, with seed %i',
    async (seed) => {
      const [official, ours] = [await sdks.official(), await sdks.ours()];
      const chance = new Chance(seed);
      for (let count = 0; count < 1000; count += 1) {
        const entries = Array.from({ length: 1 + chance.below(2) }, () => nameBy(chance));
        const models = [...entries, nameBy(chance), nameBy(chance), nameBy(chance)];
        const [their, our] = [
          await official.matchDeniedModels(models, entries),
          await ours.matchDeniedModels(models, entries),
        ];
        expect(our.denied, JSON.stringify({ models, entries })).toEqual(their.denied);
        expect(our.warnings.length, JSON.stringify({ entries, warnings: their.warnings })).toBe(their.warnings.length);
      }
    },
  );

  const odd: readonly unknown[] = [
    undefined,
    null,
    'opus',
    5,
    {},
    [],
    [5, null, undefined, {}, ['opus'], true, 5n, Symbol('x'), () => {}],
    [5, 6, 'opus', 'opus'],
  ];

  it.each(odd.flatMap((models) => odd.map((entries) => [models, entries] as const)))(
    'never throws: %# (models, entries)',
    async (...values) => {
      const [official, ours] = [await sdks.official(), await sdks.ours()];
      const [models, entries] = values as unknown as [string[], string[]];
      const [their, our] = [
        await official.matchDeniedModels(models, entries),
        await ours.matchDeniedModels(models, entries),
      ];
      expect(our.denied).toEqual(their.denied);
      expect(our.warnings).toHaveLength(their.warnings.length);
    },
  );

  it('reports what an entry denies where that may surprise, and what is ignored', async () => {
    const { matchDeniedModels } = await sdks.ours();
    const entries = ['claude-opus-4-8-20260101', 'opus[1m]', 'best', 'opus-4.8', ' ', 5 as never];
    const { warnings } = await matchDeniedModels(['claude-opus-4-8'], entries);
    expect(warnings).toEqual([
      '"claude-opus-4-8-20260101" denies every model opus 4.8. "-20260101" makes no difference.',
      '"opus[1m]" denies all models of opus. A size such as [1m] makes no difference.',
      '"best" is ignored: it is another model in each release. Name the model itself.',
      '"opus-4.8" denies only the model of exactly this name. Versions are written with a hyphen, such as 4-8.',
      'An empty entry of `deniedModels` is ignored.',
      '`deniedModels` holds a value that is no model name (number); it is ignored.',
    ]);
  });
});

describe('filterEscalatingDefaultMode()', () => {
  const sources: [ResolvedSettingSource, ...ResolvedSettingSource[]] = ['user', 'project', 'local', 'managed', 'flag'];
  const modes: [unknown, ...unknown[]] = [
    undefined,
    'auto',
    'bypassPermissions',
    'acceptEdits',
    'plan',
    'default',
    'dontAsk',
    null,
    'x',
  ];
  const permissionsBy = (chance: Chance): unknown =>
    chance.of<unknown>([
      undefined,
      null,
      {},
      { defaultMode: chance.of(modes) },
      { defaultMode: chance.of(modes), allow: ['x'] },
    ]);

  it.each(seeds)('leaves the same settings as in the official package, with seed %i', async (seed) => {
    const [official, ours] = [await sdks.official(), await sdks.ours()];
    const chance = new Chance(seed);
    let filtered = 0;
    for (let count = 0; count < 3000; count += 1) {
      const resolved = {
        effective: { model: 'm', permissions: permissionsBy(chance) },
        provenance: {},
        sources: Array.from({ length: chance.below(5) }, () => ({
          source: chance.of(sources),
          settings: { permissions: permissionsBy(chance) },
        })),
      } as unknown as ResolvedSettings;
      const expected = official.filterEscalatingDefaultMode(resolved);
      expect(ours.filterEscalatingDefaultMode(resolved), JSON.stringify(resolved)).toEqual(expected);
      if (expected !== resolved.effective) filtered += 1;
    }
    expect(filtered).toBeGreaterThan(10);
  });
});
