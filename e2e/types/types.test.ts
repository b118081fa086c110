import { beforeAll, describe, expect, it } from 'vitest';
import { anyIn, lostNarrowing, whole } from './all-the-way-down.ts';
import { refuted, type Claim } from './compare.ts';
import { looserThanOfficial, openForMoreKeys } from './differences.ts';
import { facade, official } from './facade.ts';
import { officialNames } from './official-names.ts';

const imports = [
  `import type * as official from '${official}';`,
  `import * as ours from '${facade}';`,
  "import type { Transport } from '@hexagent/sdk';",
  'type NotAny<T> = 0 extends 1 & T ? false : true;',
  ...anyIn,
  whole,
  ...lostNarrowing,
  'type KeysOf<T> = T extends unknown ? keyof T : never;',
  'type NoneOf<T> = [T] extends [never] ? true : T;',
  'type Given<T> = T extends string | number | Function | readonly unknown[] ? never : T extends object ? T : never;',
  // TypeScript refuses an unknown key in an object literal; in a variable it does not.
  'type KeysGiven<F extends (...given: never) => unknown> = KeysOf<Given<Parameters<F>[number]>>;',
];

const comparable = officialNames().filter(({ isGeneric }) => !isGeneric);
const types = comparable.filter(({ isType }) => isType).map(({ name }) => name);
const functions = comparable.filter(({ name, isValue }) => isValue && /^[a-z]/.test(name)).map(({ name }) => name);

// Each is one line of TypeScript that compiles if it is so; `_` stands for a name.
const aboutTypes = {
  solid: ': NotAny<ours._> & NotAny<official._> = true',
  'solid inside': ': NoneOf<AnyIn<ours._>> = true',
  'wide enough': '= (value: official._): ours._ => value',
  complete: ': NoneOf<Exclude<KeysOf<official._>, KeysOf<ours._>>> = true',
  'without more': ': NoneOf<Exclude<KeysOf<ours._>, KeysOf<official._>>> = true',
  'kept apart': ': NoneOf<Lost<official._, ours._>> = true',
  'narrow enough': '= (value: ours._): official._ => value',
  'wide enough inside': '= (value: Whole<official._>): Whole<ours._> => value',
  'narrow enough inside': '= (value: Whole<ours._>): Whole<official._> => value',
};
const aboutFunctions = {
  callable: '= (...given: Parameters<typeof official._>): void => void ours._(...given)',
  'same answer': '= (value: Awaited<ReturnType<typeof ours._>>): Awaited<ReturnType<typeof official._>> => value',
  'solid call': ': NoneOf<AnyIn<typeof ours._>> = true',
  'complete call': ': NoneOf<Exclude<KeysGiven<typeof official._>, KeysGiven<typeof ours._>>> = true',
};

function claimsAbout(names: readonly string[], statements: Readonly<Record<string, string>>): readonly Claim[] {
  return Object.entries(statements).flatMap(([what, statement], index) =>
    names.map((name) => ({
      id: `${what}: ${name}`,
      code: `export const its_${name}_${index} ${statement.replaceAll('_', name)};`,
    })),
  );
}

const shape = "{ text: import('zod').ZodString; count: import('zod').ZodOptional<import('zod').ZodNumber> }";
const aboutAnother: readonly Claim[] = [
  {
    id: 'ours',
    code: `export const ours1 = (value: official.InferShape<${shape}>): ours.InferShape<${shape}> => value;`,
  },
  {
    id: 'theirs',
    code: `export const theirs1 = (value: ours.InferShape<${shape}>): official.InferShape<${shape}> => value;`,
  },
  {
    id: 'finding',
    code: "export const found = (updates: ours.PermissionUpdate[]): string => updates.find((update) => update.type === 'removeRules')!.behavior;",
  },
  {
    id: 'tool',
    code: `export const made = (shape: ${shape}): ours.SdkMcpToolDefinition<${shape}> => ours.tool("n", "d", shape, async ({ text, count }) => ({ content: [{ type: "text", text: text.repeat(count ?? 1) }] }), { annotations: { readOnlyHint: true } });`,
  },
];
const aboutOptions: readonly Claim[] = [
  {
    id: 'own keys',
    code: 'export const none: NoneOf<Exclude<keyof ours.Options, keyof official.Options>> = true;',
  },
  {
    id: 'taken',
    code: 'export const taken = (transport: Transport): ours.Query => ours.query({ prompt: "", options: { model: "some", transport } });',
  },
  { id: 'named', code: 'export const named = (transport: Transport): ours.OwnOptions => ({ transport });' },
];
/** What the guard has to see. */
const planted: readonly Claim[] = [
  { id: 'holds', code: 'export const holds: NotAny<ours.Options> = true;' },
  { id: 'fails', code: 'export const fails: NotAny<any> = true;' },
  { id: 'knows the key', code: 'export const knows: KeysGiven<typeof ours.query> = "prompt";' },
  {
    id: 'lacks a key',
    code: 'export const lacks: NoneOf<Exclude<"timeout", KeysGiven<(given: { name: string }) => void>>> = true;',
  },
  { id: 'fails inside', code: 'export const failsInside: NoneOf<AnyIn<{ a: { b: any }[]; c: string }>> = true;' },
  {
    id: 'joins two members',
    code: 'export const joined: NoneOf<Lost<{ is: "a"; n: 1 } | { is: "b"; n: 1 }, { is: "a" | "b"; n: 1 }>> = true;',
  },
  {
    id: 'lacks what may be missing',
    code: 'export const lacks2 = (value: Whole<{ a: {} }>): Whole<{ a: { b?: string } }> => value;',
  },
];

// Judged together: a start of the compiler takes longer than a hundred claims.
let errors: ReadonlyMap<string, string>;
beforeAll(async () => {
  const compared = [...claimsAbout(types, aboutTypes), ...claimsAbout(functions, aboutFunctions)];
  errors = await refuted(imports, [...compared, ...aboutAnother, ...aboutOptions, ...planted]);
});

/** Those of these claims that do not hold, and why. */
const refutedOf = (claims: readonly Claim[]): Readonly<Record<string, string>> =>
  Object.fromEntries([...errors].filter(([id]) => claims.some((claim) => claim.id === id)));

/** The names for which it does not hold, and why. */
function notAll(what: keyof typeof aboutTypes | keyof typeof aboutFunctions): Record<string, string> {
  const of = [...errors].filter(([id]) => id.startsWith(`${what}: `));
  return Object.fromEntries(of.map(([id, reason]) => [id.slice(what.length + 2), reason]));
}

describe('Each type', () => {
  it('#11 is something, on either side: nothing collapsed to any, nor has anything in it that did', () => {
    expect(types.length).toBeGreaterThan(180);
    expect(notAll('solid')).toEqual({});
    expect(notAll('solid inside')).toEqual({});
  });

  it('takes everything the official one holds: messages are read, options and answers given as before', () => {
    expect(notAll('wide enough')).toEqual({});
  });

  it('has every key of the official one, also those that may be missing', () => {
    expect(notAll('complete')).toEqual({});
  });

  it('keeps the members of a union apart as the official one does: a comparison with a value narrows to the same of them', () => {
    expect(notAll('kept apart')).toEqual({});
  });

  it('has no key that the official one has not, but for those that are listed: `in` narrows as before', () => {
    expect(Object.keys(notAll('without more')).toSorted()).toEqual(Object.keys(openForMoreKeys).toSorted());
  });

  it('can be used as the official one, but for those that are listed with a reason', () => {
    expect(Object.keys(notAll('narrow enough')).toSorted()).toEqual(Object.keys(looserThanOfficial).toSorted());
  });

  it('is the official one all the way down: no key of a key is missing or of another type, but for those that are listed', () => {
    const wrong = { ...notAll('wide enough inside'), ...notAll('narrow enough inside') };
    // What is private to a class is not there once all its keys are spelled out.
    const { InMemorySessionStore: _private, ...looser } = looserThanOfficial;
    expect(Object.keys(wrong).toSorted()).toEqual(Object.keys(looser).toSorted());
  });

  it('that takes another is the official one of that other', () => {
    expect(refutedOf(aboutAnother)).toEqual({});
  });
});

describe('The options of a query', () => {
  it('have the official keys and no other; what is ours is a type of its own, which query() takes as well', () => {
    expect(refutedOf(aboutOptions)).toEqual({});
  });
});

describe('Each function', () => {
  it('can be called with whatever the official one is called with', () => {
    expect(functions).toContain('query');
    expect(notAll('callable')).toEqual({});
    expect(notAll('complete call')).toEqual({});
    expect(notAll('solid call')).toEqual({});
  });

  it('gives what the official one gives', () => {
    expect(notAll('same answer')).toEqual({});
  });
});

describe('The guard', () => {
  it('sees a claim that does not hold', () => {
    expect(Object.keys(refutedOf(planted))).toEqual([
      'fails',
      'lacks a key',
      'fails inside',
      'joins two members',
      'lacks what may be missing',
    ]);
  });

  it('reports when it cannot compare', async () => {
    await expect(refuted(["import 'no-such-package';"], [])).rejects.toThrow(/no-such-package/);
  });
});
