import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { plainAnswer, plainCopy } from '@hexagent/checks';

const proxied = <T extends object>(value: T): T => new Proxy(value, {});

describe('A proxy', () => {
  /** Answers each reader otherwise. */
  const changing = (): { readonly command: string } => {
    let count = 0;
    const next = (): string => `${(count += 1)}`;
    const getOwnPropertyDescriptor = (): object => ({ value: next(), enumerable: true, configurable: true });
    return new Proxy({ command: '' }, { get: next, getOwnPropertyDescriptor });
  };

  it('is read once, and what was read is what counts', () => {
    const copy = plainCopy(changing(), 'input');
    expect(copy.command).toBe(copy.command);
    const answer = plainAnswer({ behavior: 'allow', updatedInput: changing() });
    expect(JSON.stringify(answer)).toBe(JSON.stringify(answer));
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
