import { withHandledPromises } from '@hexagent/async';
import { controls, type Controls } from './controls.ts';
import type { Prompt } from './input.ts';
import { launch } from './launching.ts';
import { checkPrompt } from './prompt-items.ts';
import type { QueryParts } from './query-parts.ts';
import type { RunningQuery } from './running-query.ts';
import type { Options, OwnOptions } from './types/options.ts';
import type { Query } from './types/query.ts';

/**
 * Starts an agent on a prompt and yields its messages.
 * @throws {TypeError} for an option that can never work.
 */
export type QueryFunction = (params: { prompt: Prompt; options?: Options & OwnOptions }) => Query;

/** Makes the official `query()` over the given parts. */
export function createQuery(parts: QueryParts): QueryFunction {
  return (params) => {
    const { prompt, options } = paramsOf(params);
    return queryOver(launch(parts, { prompt: checkPrompt(prompt), options }));
  };
}

/** Programs in JavaScript pass `null` where they have no options. */
function paramsOf(params: Parameters<QueryFunction>[0] | null | undefined) {
  if (typeof params !== 'object' || params === null)
    throw new TypeError('query() takes an object with a `prompt`, and with `options` if there are any.');
  return { prompt: params.prompt, options: params.options ?? {} };
}

/** What a program holds. Functions without `this`: a program may take `interrupt` from the query and pass it on. */
export function queryOver(running: RunningQuery): Query {
  const asking = Object.entries(controls).map(([name, make]) => [name, make(running)] as const);
  // A method call that is not awaited may fail at the end of the query: that must not end the program.
  const methods = withHandledPromises({
    ...(Object.fromEntries<unknown>(asking) as Controls), // each under its name
    async return(value: unknown): Promise<IteratorReturnResult<never>> {
      running.stop();
      return { done: true, value: (await value) as never }; // as it was given
    },
    throw(error: unknown): Promise<never> {
      running.stop();
      return Promise.reject(error);
    },
    streamInput: (stream: Exclude<Prompt, string>) => running.follow(stream),
    close: () => running.stop(),
    async [Symbol.asyncDispose](): Promise<void> {
      running.stop();
      await running.closed();
    },
  });
  // As of an instance of a class, as in the official package: tracers that wrap a query copy the methods of its prototype.
  const query: typeof methods = Object.create(methods);
  // `next` marks its promises as handled itself.
  return Object.assign(query, {
    next: () => running.next(),
    [Symbol.asyncIterator](this: Query): Query {
      return this;
    },
  });
}
