/* oxlint-disable unicorn/no-thenable -- Programs return such objects, on purpose or not. */
import { runInNewContext } from 'node:vm';

/** Makes a value anew for each use: some of them change when they are looked at. */
export type OddValue = () => unknown;

const fail = (): never => {
  throw new Error('from a getter');
};
const throwingGetters = (target: object, ...names: readonly string[]): object =>
  Object.defineProperties(
    target,
    Object.fromEntries(names.map((name) => [name, { get: fail, enumerable: true, configurable: true }])),
  );
const revoked = (target: object = {}): object => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
/** Every trap throws, the one for `then` included. */
const hostile = (target: object = {}): object => new Proxy(target, new Proxy({}, { get: () => fail }));
/** Answers whatever is asked of it with a function. */
const obliging = (): object => new Proxy(() => {}, { get: () => () => 'anything', apply: () => 'anything' });
const errorWith = (members: object): Error => Object.assign(new Error('its message'), members);
const cyclic = (): object => {
  const value: Record<string, unknown> = {};
  value['self'] = value;
  return value;
};
const selfContaining = (): AggregateError => {
  const error = new AggregateError([], '');
  error.errors.push(error);
  return error;
};
class Getters {
  get behavior(): string {
    return 'allow';
  }
  get content(): readonly [] {
    return [];
  }
}

const oddValues: Readonly<Record<string, OddValue>> = {
  undefined: () => undefined,
  null: () => null,
  false: () => false,
  zero: () => 0,
  'a BigInt': () => 1n,
  'an empty text': () => '',
  'a text': () => 'thrown text',
  'a symbol': () => Symbol('thrown'),
  'a function': () => () => {},
  'an object': () => ({ code: 'E_ODD' }),
  'an object without a prototype': () => Object.create(null) as unknown,
  'an error': () => new Error('its message'),
  'an error without a message': () => new Error(''),
  'an error whose message is undefined': () => errorWith({ message: undefined }),
  'an error whose message is a symbol': () => errorWith({ message: Symbol('message') }),
  'an error whose message is an object': () => errorWith({ message: { toString: fail } }),
  'an error whose getters throw': () => throwingGetters(new Error('unused'), 'message', 'name', 'stack', 'cause'),
  'an error that cannot be written as text': () => errorWith({ toString: fail, toJSON: fail }),
  'a frozen error': () => Object.freeze(new Error('frozen')),
  'an error without a prototype': () => Object.setPrototypeOf(new Error('bare'), null) as unknown,
  'an error of another realm': () => runInNewContext('new TypeError("elsewhere")') as unknown,
  'an error that causes itself': () => {
    const error = new Error('around');
    error.cause = error;
    return error;
  },
  'an aggregate without a message': () => new AggregateError([new Error('a'), Symbol('b')], ''),
  'an aggregate that contains itself': () => selfContaining(),
  'an abort': () => new DOMException('aborted', 'AbortError'),
  'an error that looks like one of the SDK': () => errorWith({ [Symbol.for('@hexagent/ports/SdkError')]: true }),
  'a thenable': () => ({ then: fail }),
  'a promise': () => Promise.resolve('thrown promise'),
  'a revoked proxy': () => revoked(),
  'a proxy whose traps throw': () => hostile(new Error('inside')),
};

/** What can be thrown, or rejected with. */
export const thrownValues: Readonly<Record<string, OddValue>> = {
  ...oddValues,
  'a proxy that has everything': () => obliging(),
};

/** What can be returned where something else is expected. */
export const returnedValues: Readonly<Record<string, OddValue>> = {
  ...oddValues,
  true: () => true,
  NaN: () => Number.NaN,
  'the word allow': () => 'allow',
  'a list': () => [],
  'a list of itself': () => {
    const list: unknown[] = [];
    list.push(list);
    return list;
  },
  'a Map': () => new Map([['behavior', 'allow']]),
  'a Set': () => new Set(['allow']),
  'a date': () => new Date(0),
  'a cycle': () => cyclic(),
  'a class with getters': () => new Getters(),
  'an object whose getters throw': () =>
    throwingGetters({}, 'behavior', 'message', 'action', 'content', 'hookSpecificOutput', 'jsonrpc', 'value', 'done'),
  'a revoked list': () => revoked([]),
  'an unknown behaviour': () => ({ behavior: 'perhaps' }),
  'a behaviour that is a symbol': () => ({ behavior: Symbol('allow'), action: Symbol('accept') }),
  'a denial without a message': () => ({ behavior: 'deny' }),
  'a denial whose message is a symbol': () => ({ behavior: 'deny', message: Symbol('no') }),
  'an input that is a cycle': () => ({ behavior: 'allow', updatedInput: cyclic(), content: cyclic() }),
  'an input that throws': () => ({ behavior: 'allow', updatedInput: hostile(), content: hostile() }),
  'an input that is a BigInt': () => ({
    behavior: 'allow',
    updatedInput: { n: 1n },
    action: 'accept',
    content: { n: 1n },
  }),
  'rules that are revoked': () => ({ behavior: 'allow', updatedPermissions: revoked([]) }),
  'content that is not a list': () => ({ content: 'text' }),
  'content that is null': () => ({ content: [null] }),
  'content that throws': () => ({ content: [hostile()] }),
  'a result that has both': () => ({ jsonrpc: '2.0', id: {}, result: {}, error: { code: 'x', message: Symbol('y') } }),
  'a generator': () => (function* odd() {})(),
};

const call = (settle: unknown, value?: unknown): unknown => (typeof settle === 'function' ? settle(value) : undefined);

/** Thenables that break the rules of promises. Those that never settle are `isEndless`. */
export const oddThenables: Readonly<Record<string, { readonly make: OddValue; readonly isEndless?: boolean }>> = {
  'a thenable that never settles': { make: () => ({ then: () => {} }), isEndless: true },
  // It has a `then` as well, which calls nothing back.
  'a proxy that has everything': { make: () => obliging(), isEndless: true },
  'a promise that never settles': { make: () => new Promise(() => {}), isEndless: true },
  'a thenable that settles twice': {
    make: () => ({
      then: (resolve: unknown, reject: unknown) => {
        call(resolve);
        call(resolve, 'again');
        call(reject, new Error('after all'));
      },
    }),
  },
  'a thenable that rejects and resolves': {
    make: () => ({
      then: (resolve: unknown, reject: unknown) => {
        call(reject, new Error('first'));
        call(resolve);
      },
    }),
  },
  'a thenable that resolves and throws': {
    make: () => ({
      then: (resolve: unknown) => {
        call(resolve);
        fail();
      },
    }),
  },
  'a thenable that throws': { make: () => ({ then: fail }) },
  'a thenable that settles late, twice': {
    make: () => ({
      then: (resolve: unknown, reject: unknown) => {
        setImmediate(() => {
          call(reject, new Error('late'));
          call(resolve);
        });
      },
    }),
  },
  'a thenable that cannot be read': { make: () => throwingGetters({}, 'then') },
  'a `then` that is not a function': { make: () => ({ then: 'later' }) },
  'a thenable that resolves with a thenable': {
    make: () => ({ then: (resolve: unknown) => call(resolve, { then: fail }) }),
  },
  'a promise of a promise that rejects': { make: () => Promise.resolve(Promise.reject(new Error('inside'))) },
};
