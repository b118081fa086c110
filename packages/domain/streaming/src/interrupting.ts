import type { Channel, InterruptOutcome, TurnOutcome } from '@hexagent/ports';
import type { Flow } from './flow.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnLedger } from './turn-ledger.ts';

export interface InterruptParts {
  readonly ledger: TurnLedger;
  readonly channel: Channel;
  readonly flow: Flow;
  /** Closing has interrupted all turns and ended the input. */
  readonly isClosing: boolean;
}

/**
 * Stops one turn and resolves with the outcome. That is read from the turn's own end; the agent's receipt proves
 * nothing.
 */
export async function interruptTurn(turn: LiveTurn, parts: InterruptParts): Promise<InterruptOutcome> {
  if (turn.isOver) return 'too_late';
  if (parts.isClosing) return toInterruptOutcome(await turn.outcome);
  // A message that has begun and is not the running turn was folded into that turn, and ends with it.
  const target = (turn.hasBegun ? parts.ledger.current : undefined) ?? turn;
  await Promise.race([target.stopOnce(() => stop(target, parts)), turn.outcome]);
  // The end may lie behind unread messages, which a caller that stops a turn may never read.
  return toInterruptOutcome(await parts.flow.readOn(turn.outcome));
}

/** The outcome of an interrupt, from the outcome of its turn. */
function toInterruptOutcome(outcome: TurnOutcome): InterruptOutcome {
  if (outcome.kind === 'interrupted') return 'interrupted';
  return outcome.kind === 'cancelled' && outcome.why === 'withdrawn' ? 'cancelled' : 'too_late';
}

/** Waits only until the message was written: an interrupt that is written before it has no effect. */
async function stop(turn: LiveTurn, { ledger, channel }: InterruptParts): Promise<void> {
  try {
    await turn.written;
  } catch {
    return; // The agent never got the message, which the turn itself reports.
  }
  if (turn.isOver) return;
  // A queued message is taken out of the queue; `interrupt` would stop the turn that runs.
  if (isQueued(turn, ledger)) await channel.request('cancel_async_message', { message_uuid: turn.id });
  if (turn.isOver || turn.state.name === 'resultHeld' || isQueued(turn, ledger)) return;
  turn.apply({ name: 'interruptRequested' });
  await channel.request('interrupt');
}

/** Whether another turn runs, or will run first. */
function isQueued(turn: LiveTurn, ledger: TurnLedger): boolean {
  return !turn.hasBegun && turn !== (ledger.current ?? ledger.open.values().next().value);
}
