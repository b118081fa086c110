import { describe, expect, it } from 'vitest';
import { refuted } from './compare.ts';
import { facade, official } from './facade.ts';
import { notYet } from './not-yet.ts';
import { officialNames } from './official-names.ts';

const names = officialNames();

describe('The official names', () => {
  it('are found in the installed package', () => {
    expect(names.length).toBeGreaterThan(200);
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['query', 'Query', 'Options', 'SDKMessage']));
  });

  it('are exported, but for those that are listed as not yet', async () => {
    const claims = names.map(({ name, isType }) => ({
      id: name,
      code: `import ${isType ? 'type ' : ''}{ ${name} as its_${name} } from '${facade}';`,
    }));
    const missing = await refuted([], claims);
    expect([...missing.keys()].toSorted()).toEqual(notYet.toSorted());
  });

  it('that exist at run time are there at run time too', async () => {
    const ours = new Set(Object.keys(await import(facade)));
    const missing = names.filter(({ name, isValue }) => isValue && !ours.has(name)).map(({ name }) => name);
    const expected = names.filter(({ name, isValue }) => isValue && notYet.includes(name)).map(({ name }) => name);
    expect(missing.toSorted()).toEqual(expected.toSorted());
  });

  it('stand on the list of what is not yet only if they are official', () => {
    const known = new Set(names.map(({ name }) => name));
    expect(notYet.filter((name) => !known.has(name))).toEqual([]);
  });
});

describe('A constant', () => {
  it('has the official value', async () => {
    const [theirs, ours]: Record<string, unknown>[] = await Promise.all([import(official), import(facade)]);
    const constants = names.map(({ name }) => name).filter((name) => /^[A-Z_]+$/.test(name) && !notYet.includes(name));
    expect(constants.length).toBeGreaterThan(0);
    for (const name of constants) expect(ours?.[name], name).toEqual(theirs?.[name]);
  });
});
