import type { Channel, InterruptOutcome, TurnOutcome } from '@hexagent/ports';
import type { Flow } from './flow.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnLedger } from './turn-ledger.ts';

export interface InterruptParts {
  readonly ledger: TurnLedger;
  readonly channel: Channel;
  readonly flow: Flow;
}

/**
 * Stops one turn and says what came of it. The agent's receipt proves nothing: the outcome is what the turn's own end
 * says.
 */
export async function interruptTurn(turn: LiveTurn, parts: InterruptParts): Promise<InterruptOutcome> {
  if (turn.ended) return 'too_late';
  // A message that has begun and is not the running turn was folded into it, and ends with it.
  const target = (turn.started ? parts.ledger.current : undefined) ?? turn;
  // Asked once at a time: an interrupt names no turn, and one too many would stop the next.
  target.stopping ??= stop(target, parts).finally(() => (target.stopping = undefined));
  await Promise.race([target.stopping, turn.outcome]);
  // Whoever stops a turn may have stopped reading it, and its end lies behind what is unread.
  return whatCame(await parts.flow.readOn(turn.outcome));
}

/** What an interrupt achieved, by how its turn ended. */
export function whatCame(outcome: TurnOutcome): InterruptOutcome {
  if (outcome.kind === 'interrupted') return 'interrupted';
  return outcome.kind === 'cancelled' && outcome.why === 'withdrawn' ? 'cancelled' : 'too_late';
}

/** An interrupt written before its message does nothing to it, so it waits until the message was written, no longer. */
async function stop(turn: LiveTurn, { ledger, channel }: InterruptParts): Promise<void> {
  try {
    await turn.written;
  } catch {
    return; // the agent never heard of it, which the turn itself tells
  }
  // Behind another turn it can be taken out of the queue; `interrupt` would stop the other one.
  if (isQueued(turn, ledger)) await channel.request('cancel_async_message', { message_uuid: turn.id });
  if (turn.ended || turn.answer !== undefined || isQueued(turn, ledger)) return;
  turn.stopped = true;
  await channel.request('interrupt');
}

/** Something else runs, or will run first. */
function isQueued(turn: LiveTurn, ledger: TurnLedger): boolean {
  return !turn.started && turn !== (ledger.current ?? ledger.open.values().next().value);
}
