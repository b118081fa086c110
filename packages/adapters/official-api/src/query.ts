import { withHandledPromises } from '@hexagent/async';
import { controlsOver } from './controls.ts';
import type { RunningQuery } from './running-query.ts';
import type { Query } from './types/query.ts';

/** What a program holds. Functions without `this`: a program may take `interrupt` off the query and pass it about. */
export function queryOver(running: RunningQuery): Query {
  const query: Query = {
    ...controlsOver(running),
    next: () => running.next(),
    async return(value) {
      running.stop();
      return { done: true, value: await value };
    },
    throw(error: unknown) {
      running.stop();
      return Promise.reject(error);
    },
    streamInput: (stream) => running.follow(stream),
    close: () => running.stop(),
    [Symbol.asyncIterator]: () => query,
    async [Symbol.asyncDispose]() {
      running.stop();
      await running.closed();
    },
  };
  // A method that nobody awaits may fail at the end of the query: that must not end the program. The one that is called
  // for each message sees to it by itself.
  return Object.assign(withHandledPromises(query), { next: () => running.next() });
}
