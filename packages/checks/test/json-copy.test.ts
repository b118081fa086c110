import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { jsonCopy } from '@hexagent/checks';

class Command {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  get command(): string {
    return this.#text;
  }
}

class Point {
  readonly x = 1;
  moved(): void {}
}

class Hidden {
  readonly #command = 'ls';
  run(): string {
    return this.#command;
  }
}

class Kind {
  readonly kind = 'shell';
  get command(): string {
    return 'ls';
  }
}

const cyclic: Record<string, unknown> = { kept: true };
cyclic['inside'] = [cyclic];
const cyclicList: unknown[] = Array.from({ length: 100 }, (_, n) => ({ n }));
cyclicList.push({ list: cyclicList });
const throwing = {
  get broken(): never {
    throw new Error('Not to be read.');
  },
};
const hidden = Object.defineProperty({ shown: 1 }, 'command', { value: 'ls', enumerable: false });
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const sparse: unknown[] = [];
sparse[1] = 'second';
let deep: unknown = 1;
for (let depth = 0; depth < 20_000; depth += 1) deep = { deep };

const exact = (value: unknown): ReturnType<typeof jsonCopy> => jsonCopy(value, { name: 'input', exact: true });
const written = (value: unknown): ReturnType<typeof jsonCopy> => jsonCopy(value, { name: 'result' });

describe('A copy for JSON', () => {
  const shared = { a: 1 };
  it.each<[string, unknown]>([
    ['an object of texts, numbers and lists', { a: 'x', b: [1, null, { c: false }], d: {} }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 })],
    ['what is shared', { first: shared, second: shared }],
    ['what is shared among many objects', { many: cyclicList.slice(0, 100), again: cyclicList.slice(0, 100) }],
    ['a member named __proto__', JSON.parse('{"__proto__":{"a":1}}')],
    ['an object of another realm', runInNewContext('({ a: [1, { b: 2 }] })')],
    ['a frozen object', Object.freeze({ a: Object.freeze([1]) })],
    ['a proxy of a plain object', new Proxy({ a: 1 }, {})],
    ['an instance with members and methods only', { at: new Point() }],
  ])('holds the same, exactly or not: %s', (_, value) => {
    expect(exact(value)).toEqual({ copy: JSON.parse(JSON.stringify(value)) });
    expect(written(value)).toEqual(exact(value));
  });

  it('takes what a toJSON makes where it may, although it must be exact', () => {
    const copy = (value: unknown): ReturnType<typeof jsonCopy> =>
      jsonCopy(value, { name: 'input', exact: true, allowToJson: true });
    expect(copy({ at: new Date(0) })).toEqual({ copy: { at: '1970-01-01T00:00:00.000Z' } });
    expect(copy({ at: { toJSON: () => undefined } })).toEqual({
      lost: expect.stringContaining('`input.at` is an object whose `toJSON` returns nothing'),
    });
  });

  it('leaves out members that are undefined', () => {
    expect(exact({ a: 1, b: undefined })).toEqual({ copy: { a: 1 } });
    expect(exact({ a: undefined })).toStrictEqual({ copy: {} });
  });

  it('reads each member once, so that what was checked is what is sent', () => {
    let reads = 0;
    const changing = {
      get command() {
        reads += 1;
        return reads === 1 ? 'safe' : { toJSON: () => 'other' };
      },
    };
    expect(exact(changing)).toEqual({ copy: { command: 'safe' } });
    expect(reads).toBe(1);
  });

  it('is made in time where few objects have very many paths', () => {
    let node: Record<string, unknown> = { n: 1 };
    for (let depth = 0; depth < 60; depth += 1) node = { left: node, right: node };
    expect(exact({ node })).toHaveProperty('copy.node.left');
  });
});

describe('A copy that must be exact is refused, and the place named:', () => {
  it.each<[string, unknown, string]>([
    ['a Map', new Map([['command', 'ls']]), '`input` is a Map, which JSON cannot carry; pass plain objects'],
    ['a Set', { names: new Set(['a']) }, '`input.names` is a Set'],
    ['a date', { when: new Date(0) }, '`input.when` is a Date with a `toJSON`'],
    ['a class with getters', new Command('ls'), '`input` is an instance of Command'],
    [
      'a class with members and getters',
      new Kind(),
      '`input` is an instance of Kind with the inherited member command',
    ],
    ['a class without members', new Hidden(), '`input` is an instance of Hidden without members'],
    ['a toJSON', { a: { toJSON: () => undefined } }, '`input.a` is an object with a `toJSON`'],
    [
      'a member that inherits',
      Object.create({ command: 'ls' }),
      '`input` is an instance of Object with the inherited member command',
    ],
    ['a function', { run: () => 1 }, '`input.run` is a function'],
    ['a symbol', { [`a`]: Symbol('s') }, '`input.a` is a symbol'],
    ['a member named by a symbol', { [Symbol('s')]: 1 }, '`input` has a member that is named by a symbol'],
    ['a hidden member', hidden, '`input` has the hidden member command'],
    ['a BigInt', { n: [1n] }, '`input.n[0]` is a BigInt, which JSON cannot carry; pass a number or a string.'],
    ['NaN', { n: Number.NaN }, '`input.n` is NaN'],
    ['Infinity', [Infinity], '`input[0]` is Infinity'],
    ['a hole', { list: sparse }, '`input.list` is a list with holes'],
    ['a list with names', Object.assign(['a'], { name: 'b' }), '`input` is a list with holes or names'],
    ['undefined in a list', { list: [1, undefined] }, '`input.list[1]` is undefined'],
    ['a cycle', cyclic, '`input.inside[0]` refers back to what contains it'],
    ['a cycle behind many objects', { all: cyclicList }, '`input.all[100].list` refers back to what contains it'],
    ['a Map behind many objects', { all: [...cyclicList.slice(0, 100), new Map()] }, '`input.all[100]` is a Map'],
    ['a boxed text', { a: Object('text') }, '`input.a` is a String'],
    ['a promise', Promise.resolve(1), '`input` is a promise, which JSON cannot carry; pass its value: await it.'],
    ['bytes', { a: new Uint8Array(2) }, '`input.a` is an Uint8Array'],
    ['a depth that nobody writes', deep, 'is nested too deeply'],
    ['a getter that throws', { a: throwing }, '`input.a.broken` cannot be read: Not to be read.'],
    ['a revoked proxy', { a: revoked() }, '`input.a` cannot be read: Cannot perform'],
    ['a function itself', () => 1, '`input` is a function'],
  ])('%s', (_, value, text) => {
    expect(exact(value)).toEqual({ lost: expect.stringContaining(text) });
  });
});

describe('A copy of what JSON.stringify writes', () => {
  class Person {
    readonly name = 'Ada';
  }
  class Celsius {
    toJSON(): object {
      return { toJSON: 'not called', degrees: 20 };
    }
  }
  it.each<[string, unknown]>([
    ['a date', { at: new Date(0) }],
    ['what a toJSON makes', [new Celsius()]],
    ['the members of an instance', new Person()],
    ['null for what is no finite number', { a: Number.NaN, b: [Infinity] }],
    ['null for holes', sparse],
    ['boxed values', [Object('text'), Object(1), Object(false)]],
    ['bytes', { bytes: new Uint8Array([1, 2]), buffer: Buffer.from('hi') }],
    ['a URL', { at: new URL('http://127.0.0.1/') }],
  ])('is the same: %s', (_, value) => {
    expect(JSON.stringify((written(value) as { readonly copy: unknown }).copy)).toBe(JSON.stringify(value));
  });

  it.each<[string, unknown, string]>([
    ['a Map', { map: new Map([[1, 2]]) }, '`result.map` is a Map'],
    ['a Set', new Set([1]), '`result` is a Set'],
    ['a promise', { text: Promise.resolve('late') }, '`result.text` is a promise'],
    ['an error', { error: Object.assign(new Error('x'), { code: 1 }) }, '`result.error` is an Error'],
    ['an instance without members', new Command('ls'), '`result` is an instance of Command without members'],
    ['a function', { text: () => 'x' }, '`result.text` is a function'],
    ['a BigInt', [1n], '`result[0]` is a BigInt'],
    ['a cycle', cyclic, '`result.inside[0]` refers back'],
    ['a toJSON that leads to a BigInt', { a: { toJSON: () => ({ n: 1n }) } }, '`result.a.n` is a BigInt'],
    [
      'a toJSON that throws',
      {
        a: {
          toJSON: () => {
            throw new Error('unwilling');
          },
        },
      },
      '`result.a` cannot be read: unwilling',
    ],
  ])('is refused where something would be lost without an error: %s', (_, value, text) => {
    expect(written(value)).toEqual({ lost: expect.stringContaining(text) });
  });
});
