import { AbortError, type Clock, type Connection, type Launch, type Transport } from '@hexagent/ports';
import { attempt, notify, onAbort, settledWithin } from '@hexagent/async';

/** How long a transport may take to undo a start that was aborted. */
const undoingMs = 10_000;

/** Connects. A transport that does not follow the abort of `signal` is waited for `undoingMs`, then given up. */
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
    stops.push(onAbort(signal, () => void stops.push(clock.after(undoingMs, giveUp, { keepsAlive: true }))));
  });
  try {
    return await Promise.race([connecting, overdue]);
  } catch (error) {
    // A connection that comes after all is of no use.
    connecting.then(
      (late) => closeQuietly(late, clock),
      () => {},
    );
    throw error;
  } finally {
    for (const stop of stops) notify(stop);
  }
}

/** Closes a connection after a failure, which is reported; that it cannot be closed either would add nothing. */
export async function closeQuietly(connection: Connection, clock: Clock): Promise<void> {
  const closed = attempt(() => connection.close()).catch(() => {});
  await settledWithin(undoingMs, closed, clock);
}

export function abortedBefore({ reason }: AbortSignal): AbortError {
  return new AbortError('The conversation was aborted before it began.', { cause: reason });
}
