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
  if (turn.isOver) return 'too_late';
  // A message that has begun and is not the running turn was folded into it, and ends with it.
  const target = (turn.hasBegun ? parts.ledger.current : undefined) ?? turn;
  await Promise.race([target.stopOnce(() => stop(target, parts)), turn.outcome]);
  // Whoever stops a turn may have stopped reading it, and its end lies behind what is unread.
  return toInterruptOutcome(await parts.flow.readOn(turn.outcome));
}

/** What an interrupt achieved, by how its turn ended. */
export function toInterruptOutcome(outcome: TurnOutcome): InterruptOutcome {
  if (outcome.kind === 'interrupted') return 'interrupted';
  return outcome.kind === 'cancelled' && outcome.why === 'withdrawn' ? 'cancelled' : 'too_late';
}

/** An interrupt written before its message does nothing to it, so it waits until the message was written, no longer. */
async function stop(turn: LiveTurn, { ledger, channel }: InterruptParts): Promise<void> {
  try {
    await turn.written;
  } catch {
    return; // The agent never got the message, which the turn itself reports.
  }
  if (turn.isOver) return;
  // Behind another turn it can be taken out of the queue; `interrupt` would stop the other one.
  if (isQueued(turn, ledger)) await channel.request('cancel_async_message', { message_uuid: turn.id });
  if (turn.isOver || turn.state.name === 'resultHeld' || isQueued(turn, ledger)) return;
  turn.apply({ name: 'interruptRequested' });
  await channel.request('interrupt');
}

/** Whether another turn runs, or will run first. */
function isQueued(turn: LiveTurn, ledger: TurnLedger): boolean {
  return !turn.hasBegun && turn !== (ledger.current ?? ledger.open.values().next().value);
}
