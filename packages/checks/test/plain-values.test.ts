import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { plainAnswer, plainCopy, plainOptions } from '@hexagent/checks';

const proxied = <T extends object>(value: T): T => new Proxy(value, {});

describe('A proxy', () => {
  it.each<[string, () => unknown]>([
    ['as a value', () => plainCopy(proxied({ command: 'ls' }), 'input')],
    ['as a list in a value', () => plainCopy({ a: [{ b: proxied([1]) }] }, 'input')],
  ])('is refused %s, which is named', (_, copied) => {
    expect(copied).toThrow(new TypeError('`input` is or holds a proxy; pass plain objects and lists.'));
  });

  it.each<[string, () => unknown]>([
    ['of the options of a function', () => plainOptions('allow', proxied({ input: {} }), ['input'])],
    ['among the options of a function', () => plainOptions('allow', { input: proxied({}) }, ['input'])],
    ['as an answer', () => plainAnswer(proxied({ behavior: 'allow' }))],
    ['in an answer', () => plainAnswer({ behavior: 'allow', updatedInput: proxied({}) })],
  ])('is refused %s', (_, copied) => {
    expect(copied).toThrow(new TypeError('A value is or holds a proxy; pass plain objects and lists.'));
  });

  it('leaves a denial as it is', () => {
    const denial = { behavior: 'deny', message: 'no' };
    expect(plainAnswer(proxied(denial))).toEqual(denial);
    expect(plainAnswer({ ...denial, more: proxied({}) })).toEqual(denial);
  });
});

describe('A plain value is copied', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 900; depth += 1) deep = { deep };

  it.each<[string, unknown]>([
    ['of texts, numbers and lists', { a: 'x', b: [1, null, { c: false }] }],
    ['without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['of another realm', runInNewContext('({ a: [1, { b: 2 }] })')],
    ['frozen', Object.freeze({ a: Object.freeze([1]) })],
    ['deep', deep],
    ['undefined', undefined],
  ])('%s', (_, value) => {
    expect(plainCopy(value, 'input')).toEqual(value);
  });
});
