import type { Options } from './types/options.ts';

/**
 * Refuses values that would count as not given, although whoever passes them wants to hold the agent to something.
 * @throws {TypeError} naming the option.
 */
export function refuseLostOptions({ abortController, mcpServers }: Options): void {
  if (abortController != null && !canAbort(abortController))
    throw new TypeError('`abortController` must be an AbortController: aborting this would end nothing.');
  if (mcpServers != null && (typeof mcpServers !== 'object' || Symbol.iterator in mcpServers))
    throw new TypeError('`mcpServers` must be a plain object with the names of the servers as its keys.');
}

/** Another realm has a class of its own, so the shape decides. */
function canAbort({ signal }: Partial<AbortController>): boolean {
  return typeof signal?.aborted === 'boolean' && typeof signal.addEventListener === 'function';
}
