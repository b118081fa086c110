import { AbortError, type Clock, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { attempt, notify } from '@hexagent/async';
import { within } from './within.ts';

/** How long a transport may take to end what it began, once its start was aborted. */
const takingBackMs = 10_000;

/** Connects. An abort is the transport's to follow; one that does not must not keep whoever aborted waiting. */
export async function connectOrGiveUp(
  { transport, clock }: { readonly transport: Transport; readonly clock: Clock },
  launch: Launch,
  signal: AbortSignal | undefined,
): Promise<Connection> {
  const connecting = attempt(() => transport.connect(launch, { signal }));
  if (signal === undefined) return await connecting;
  const stops: (() => void)[] = [];
  const overdue = new Promise<never>((_, reject) => {
    const giveUp = (): void => reject(abortedBefore(signal));
    stops.push(listen(signal, () => void stops.push(clock.after(takingBackMs, giveUp))));
  });
  try {
    return await Promise.race([connecting, overdue]);
  } catch (error) {
    // What connects all the same has nobody to serve.
    connecting.then(
      (late) => closeQuietly(late, clock),
      () => {},
    );
    throw error;
  } finally {
    for (const stop of stops) notify(stop);
  }
}

/** The first failure is told; a connection that cannot be closed either adds nothing to it. */
export async function closeQuietly(connection: Connection, clock: Clock): Promise<void> {
  const closed = attempt(() => connection.close()).catch(() => {});
  await within(takingBackMs, closed, clock);
}

export function abortedBefore({ reason }: AbortSignal): AbortError {
  return new AbortError('The conversation was aborted before it began.', { cause: reason });
}

/** One listener per conversation, gone with it: a signal that outlives a thousand conversations must not collect theirs. */
export function listen(signal: AbortSignal | undefined, aborted: (reason: unknown) => void): () => void {
  const heard = (): void => aborted(signal?.reason);
  if (signal?.aborted) heard();
  else signal?.addEventListener('abort', heard, { once: true });
  return () => signal?.removeEventListener('abort', heard);
}
