import { describe, expect, it } from 'vitest';
import { refuted } from './compare.ts';
import { facade, official } from './facade.ts';
import { notOffered } from './not-offered.ts';
import { officialNames } from './official-names.ts';

const names = officialNames();

type Exports = Readonly<Record<string, unknown>>;
type Callable = (...given: readonly unknown[]) => unknown;

const load = async (): Promise<[Exports, Exports]> => [await import(official), await import(facade)];
const isFunction = (value: unknown): value is Callable => typeof value === 'function';

describe('The official names', () => {
  it('are found in the installed package', () => {
    expect(names.length).toBeGreaterThan(200);
    expect(names.map(({ name }) => name)).toEqual(expect.arrayContaining(['query', 'Query', 'Options', 'SDKMessage']));
  });

  it('are exported, each of them', async () => {
    const claims = names.map(({ name, isType }) => ({
      id: name,
      code: `import ${isType ? 'type ' : ''}{ ${name} as its_${name} } from '${facade}';`,
    }));
    const missing = await refuted([], claims);
    expect([...missing.keys()]).toEqual([]);
  });

  it('that exist at run time are there at run time too: a module that imports a missing one does not load', async () => {
    const [theirs, ours] = await load();
    const missing = Object.keys(theirs).filter((name) => !(name in ours));
    expect(missing).toEqual([]);
    expect(names.filter(({ name, isValue }) => isValue && !(name in theirs))).toEqual([]);
  });
});

describe('A name that has no type in the official package', () => {
  it('is there, and names what to use instead when it is called or constructed', async () => {
    const [theirs, ours] = await load();
    const typed = new Set(names.map(({ name }) => name));
    expect(Object.keys(theirs).filter((name) => !typed.has(name))).toEqual(Object.keys(notOffered));
    for (const [name, instead] of Object.entries(notOffered)) {
      const our = ours[name];
      if (!isFunction(our)) throw new Error(`${name} is no function.`);
      const message: unknown = expect.stringMatching(`^\`${name}.*is not offered: .*${RegExp.escape(instead)}`);
      expect(() => our()).toThrow(expect.objectContaining({ code: 'NOT_OFFERED', message }));
      expect(() => Reflect.construct(our, [])).toThrow(expect.objectContaining({ code: 'NOT_OFFERED', message }));
    }
  });
});

describe('A constant', () => {
  it('has the official value', async () => {
    const [theirs, ours] = await load();
    const constants = names.map(({ name }) => name).filter((name) => /^[A-Z_]+$/.test(name));
    expect(constants).toHaveLength(9);
    for (const name of constants) expect(ours[name], name).toEqual(theirs[name]);
  });
});
