/** A value that an option must refuse, by a name for messages. Made afresh, since some hold state. */
export interface Wrong {
  readonly name: string;
  make(): unknown;
}

const thrower = new Proxy({}, { get: fail, ownKeys: fail, getPrototypeOf: fail, getOwnPropertyDescriptor: fail });
function fail(): never {
  throw new RangeError('a proxy of the program threw');
}

/** What a program may pass anywhere. Nearly every option refuses nearly all of them. */
export const odd = {
  null: () => null,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  minusOne: () => -1,
  half: () => 0.5,
  true: () => true,
  emptyText: () => '',
  textWithNul: () => 'a\0b',
  symbol: () => Symbol('odd'),
  bigint: () => 5n,
  function: () => () => undefined,
  boxedText: () => new String('text'),
  emptyList: () => [],
  listOfNull: () => [null],
  holedList: () => Array.from({ length: 2 }).fill(undefined),
  map: () => new Map([['allow', ['Read']]]),
  set: () => new Set(['Read']),
  date: () => new Date(0),
  instance: () =>
    new (class Options {
      cwd = '/';
    })(),
  inherited: () => Object.create({ deny: ['Bash'], type: 'preset', preset: 'claude_code' }) as unknown,
  emptyObject: () => ({}),
  unknownKey: () => ({ __unknown: 1 }),
  throwingGetter: () => ({
    get type(): never {
      throw new RangeError('a getter of the program threw');
    },
    get __unknown(): never {
      throw new RangeError('a getter of the program threw');
    },
  }),
  throwingProxy: () => thrower,
  revokedProxy: () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    return proxy;
  },
  promise: () => Promise.resolve('later'),
} satisfies Record<string, () => unknown>;

export type Odd = keyof typeof odd;
