import type { Prompt } from './input.ts';
import { launch } from './launching.ts';
import { checkPrompt } from './prompt-items.ts';
import type { QueryParts } from './query-parts.ts';
import { queryOver } from './query.ts';
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
