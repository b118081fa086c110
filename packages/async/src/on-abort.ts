/**
 * Calls back once, when the signal aborts; at once, when it already has. Returns what takes the listener off again:
 * a signal that outlives a thousand calls must not collect their listeners.
 */
export function onAbort(signal: AbortSignal | undefined, aborted: (reason: unknown) => void): () => void {
  if (signal === undefined) return () => {};
  const listener = (): void => aborted(signal.reason);
  if (signal.aborted) listener();
  else signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}
