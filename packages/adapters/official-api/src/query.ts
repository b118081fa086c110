import { controlsOver } from './controls.ts';
import type { RunningQuery } from './running-query.ts';
import type { Query } from './types/query.ts';

/** What a program holds. Functions without `this`: a program may take `interrupt` off the query and pass it about. */
export function queryOver(running: RunningQuery): Query {
  const query: Query = {
    ...withHandledPromises(controlsOver(running)),
    next: () => handled(running.next()),
    async return(value) {
      running.stop();
      return { done: true, value: await value };
    },
    throw(error: unknown) {
      running.stop();
      return Promise.reject(error);
    },
    streamInput: (stream) => handled(running.follow(stream)),
    close: () => running.stop(),
    [Symbol.asyncIterator]: () => query,
    async [Symbol.asyncDispose]() {
      running.stop();
      await running.closed();
    },
  };
  return query;
}

type AsyncFunction = (...given: never[]) => Promise<unknown>;

/** A method that nobody awaits may fail at the end of the query: that must not end the program. */
function withHandledPromises<T extends Record<keyof T, AsyncFunction>>(methods: T): T {
  const entries = Object.entries<AsyncFunction>(methods).map(([name, method]) => [
    name,
    (...given: never[]) => handled(method(...given)),
  ]);
  // The same methods, which return the same promises.
  return Object.fromEntries(entries) as T;
}

function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
