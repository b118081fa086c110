import type { McpCallContext } from '@hexagent/ports';
import { onAbort } from '@hexagent/async';

/**
 * Calls the listener once when the agent no longer waits for the call; at once, when it does not already. Returns what
 * removes the listener. Reads the signal only where the protocol has no cheaper way.
 */
export function followAbort(context: McpCallContext, listener: (reason: unknown) => void): () => void {
  return context.onAbort?.(listener) ?? onAbort(context.signal, listener);
}
