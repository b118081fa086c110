import { AbortError } from '@hexagent/ports';

export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new AbortError('Aborted while the agent was being started.', { cause: signal.reason });
}
