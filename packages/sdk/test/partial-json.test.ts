import { describe, expect, it } from 'vitest';
import { parsePartialJson } from '../src/reading/partial-json.ts';

const value = {
  command: 'echo "hi" \\ \u00e9 \n',
  list: [1, -2.5e3, true, null, 'two', [], {}],
  nested: { empty: '', deeper: { last: false } },
};

describe('The value of a part of a JSON text', () => {
  it.each([
    ['', undefined],
    ['{', {}],
    ['{"a', {}],
    ['{"a":', {}],
    ['{"a":"b', { a: 'b' }],
    ['{"a":"b\\', { a: 'b' }],
    ['{"a":"b\\u00', { a: 'b' }],
    ['{"a":"b\\u00e9', { a: 'bé' }],
    ['{"a":"b","c', { a: 'b' }],
    ['{"a":12', {}],
    ['{"a":12,', { a: 12 }],
    ['{"a":tru', {}],
    ['{"a":true}', { a: true }],
    ['{"a":[1,2', { a: [1] }],
    ['{"a":[{"b":"c"},{', { a: [{ b: 'c' }, {}] }],
    ['{"a" "b', undefined],
    ['not JSON', undefined],
    ['12', undefined],
  ])('of %s', (json, expected) => {
    expect(parsePartialJson(json)).toEqual(expected);
  });

  it('is there for every part, and is the whole value in the end', () => {
    for (const json of [JSON.stringify(value), JSON.stringify(value, null, 2)]) {
      for (let length = 1; length < json.length; length += 1)
        expect(parsePartialJson(json.slice(0, length)), json.slice(0, length)).toBeTypeOf('object');
      expect(parsePartialJson(json)).toEqual(value);
    }
  });
});
