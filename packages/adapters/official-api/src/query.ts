import { withHandledPromises } from '@hexagent/async';
import { controls, type Controls } from './controls.ts';
import type { RunningQuery } from './running-query.ts';
import type { Query } from './types/query.ts';

type Methods = Required<Omit<Query, 'next'>>;
type Makers = { readonly [Name in keyof Methods]: (running: RunningQuery, query: Query) => Methods[Name] };

const makers: Makers = {
  ...(controls satisfies { readonly [Name in keyof Controls]: Makers[Name] }),
  return: (running) => async (value) => {
    running.stop();
    return { done: true, value: await value };
  },
  throw: (running) => (error: unknown) => {
    running.stop();
    return Promise.reject(error);
  },
  streamInput: (running) => (stream) => running.follow(stream),
  close: (running) => () => running.stop(),
  [Symbol.asyncIterator]: (_, query) => () => query,
  [Symbol.asyncDispose]: (running) => async () => {
    running.stop();
    await running.closed();
  },
};

/** Under a symbol, not a private field: a program may wrap a query in a proxy. */
const ownRunning = Symbol('running');

interface Made extends Query {
  readonly [ownRunning]: RunningQuery;
}

/** What a query inherits. Of some thirty methods a program uses three, so each is made when it is first read. */
const prototype: object = {};
// the type of the makers has exactly these keys
for (const name of Reflect.ownKeys(makers) as readonly (keyof Methods)[])
  Object.defineProperty(prototype, name, {
    configurable: true,
    get(this: Made): unknown {
      // A method call that is not awaited may fail at the end of the query: that must not end the program.
      const { method } = withHandledPromises({ method: makers[name](this[ownRunning], this) as unknown });
      return keep(this, name, method);
    },
    // A program may put its own function in the place of a method.
    set(this: Made, value: unknown): void {
      keep(this, name, value);
    },
  });

/** From now on the query has it itself, unless it is frozen. */
function keep(query: Made, name: keyof Methods, value: unknown): unknown {
  Reflect.defineProperty(query, name, { value, configurable: true, enumerable: true, writable: true });
  return value;
}

/** What a program holds. Functions without `this`: a program may take `interrupt` from the query and pass it on. */
export function queryOver(running: RunningQuery): Query {
  const query = Object.create(prototype) as Made; // it inherits what its own properties lack
  // Called for each message; it marks its promises as handled itself.
  return Object.assign(query, { [ownRunning]: running, next: () => running.next() });
}
