import { describe, expect, it } from 'vitest';
import { refuted, type Claim } from './compare.ts';
import { looserThanOfficial } from './differences.ts';
import { facade, official } from './facade.ts';
import { notYet } from './not-yet.ts';
import { officialNames } from './official-names.ts';

const imports = [
  `import type * as official from '${official}';`,
  `import * as ours from '${facade}';`,
  'type NotAny<T> = 0 extends 1 & T ? false : true;',
  'type AnyFieldsOf<T> = T extends unknown ? { [K in keyof T]-?: 0 extends 1 & T[K] ? K : never }[keyof T] : never;',
  'type KeysOf<T> = T extends unknown ? keyof T : never;',
  'type NoneOf<T> = [T] extends [never] ? true : T;',
];

const present = officialNames().filter(({ name }) => !notYet.includes(name));
const types = present.filter(({ isType, isGeneric }) => isType && !isGeneric).map(({ name }) => name);
const functions = present
  .filter(({ name, isValue, isGeneric }) => isValue && !isGeneric && /^[a-z]/.test(name))
  .map(({ name }) => name);

/** What does not hold, by the name it does not hold for. */
async function wrong(names: readonly string[], claim: (name: string) => string): Promise<ReadonlyMap<string, string>> {
  const claims = names.map((name): Claim => ({ id: name, code: `export const its_${name} ${claim(name)};` }));
  return await refuted(imports, claims);
}

describe('Each type', () => {
  it('#11 is something, on either side: nothing collapsed to any', async () => {
    expect(await wrong(types, (name) => `: NotAny<ours.${name}> & NotAny<official.${name}> = true`)).toEqual(new Map());
  });

  it('#11 has no field that is any', async () => {
    expect(await wrong(types, (name) => `: NoneOf<AnyFieldsOf<ours.${name}>> = true`)).toEqual(new Map());
  });

  it('takes everything the official one holds: messages are read, options and answers given as before', async () => {
    expect(await wrong(types, (name) => `= (value: official.${name}): ours.${name} => value`)).toEqual(new Map());
  });

  it('has every key of the official one, also those that may be missing', async () => {
    const claim = (name: string): string => `: NoneOf<Exclude<KeysOf<official.${name}>, KeysOf<ours.${name}>>> = true`;
    expect(await wrong(types, claim)).toEqual(new Map());
  });

  it('can be used as the official one, but for those that are listed with a reason', async () => {
    const looser = await wrong(types, (name) => `= (value: ours.${name}): official.${name} => value`);
    expect([...looser.keys()].toSorted()).toEqual(Object.keys(looserThanOfficial).toSorted());
  });
});

describe('Each function', () => {
  it('can be called with whatever the official one is called with', async () => {
    const claim = (name: string): string =>
      `= (...given: Parameters<typeof official.${name}>): void => void ours.${name}(...given)`;
    expect(await wrong(functions, claim)).toEqual(new Map());
  });
});

describe('The guard', () => {
  it('sees a claim that does not hold', async () => {
    const claims = [
      { id: 'holds', code: 'export const holds: NotAny<ours.Options> = true;' },
      { id: 'fails', code: 'export const fails: NotAny<any> = true;' },
    ];
    expect([...(await refuted(imports, claims)).keys()]).toEqual(['fails']);
  });

  it('says so when it cannot see', async () => {
    await expect(refuted(["import 'no-such-package';"], [])).rejects.toThrow(/no-such-package/);
  });
});
