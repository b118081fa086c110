import { describe, expect, it } from 'vitest';
import { anyText, dictionary, flag, given, limit, record, text } from '@hexagent/checks';

interface Options {
  readonly name: string;
  readonly most?: number;
  readonly isQuiet?: boolean;
  readonly store?: object;
}

const options = record<Options>(
  { name: text(), most: limit, isQuiet: flag, store: given() },
  { required: ['name'], called: 'options', elsewhere: { max: 'most' } },
);

describe('A table of options', () => {
  it('returns what was passed, without what is undefined, and leaves alone what it only names', () => {
    const store = new Map();
    expect(options({ name: 'a', most: Infinity, isQuiet: undefined, store }, '')).toEqual({
      name: 'a',
      most: Infinity,
      store,
    });
    expect(options({ name: 'a', store }, '').store).toBe(store);
  });

  it('reads each option once', () => {
    let reads = 0;
    const given = Object.defineProperty({}, 'name', { enumerable: true, get: () => `read ${(reads += 1)}` });
    expect(options(given, '')).toEqual({ name: 'read 1' });
  });

  it.each<[unknown, string]>([
    [{ name: 'a', Most: 1 }, '`Most` is not known. Did you mean `most`?'],
    [{ name: 'a', max: 1 }, '`max` is not known. Did you mean `most`?'],
    [{ name: 'a', colour: 1 }, '`colour` is not known. What may stand here: name, most, isQuiet, store.'],
    [{}, '`name` must be a string that is not empty, not undefined.'],
    [{ name: 'a', most: 0 }, '`most` must be a number of at least 1, not 0.'],
    [{ name: 'a', most: Number.NaN }, '`most` must be a number of at least 1, not NaN.'],
    [{ name: 'a', most: '5' }, '`most` must be a number of at least 1, not "5".'],
    [new Map(), '`options` must be a plain object, not an object of the class Map.'],
    [undefined, '`options` must be a plain object, not undefined.'],
  ])('names the place, what belongs there and what was there: %j', (wrong, message) => {
    expect(() => options(wrong, '')).toThrow(new TypeError(message));
  });

  it('takes the environment of the process for an object of texts, although the runtime makes it of a class', () => {
    expect(dictionary(anyText)(process.env, 'env')).toEqual({ ...process.env });
  });
});
