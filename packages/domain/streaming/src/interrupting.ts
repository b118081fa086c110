import type { Channel, InterruptOutcome, TurnOutcome } from '@hexagent/ports';
import type { LiveTurn } from './live-turn.ts';
import type { TurnLedger } from './turn-ledger.ts';

/**
 * Stops one turn and says what came of it. The agent's receipt proves nothing: the outcome is what the turn's own end
 * says. An interrupt written before its message does nothing to it, so it waits until the message was written, no longer.
 */
export async function interruptTurn(turn: LiveTurn, ledger: TurnLedger, channel: Channel): Promise<InterruptOutcome> {
  if (turn.ended) return 'too_late';
  await turn.written;
  // Behind another turn it can be taken out of the queue; `interrupt` would stop the other one.
  if (isQueued(turn, ledger)) await channel.request('cancel_async_message', { message_uuid: turn.id });
  if (!turn.ended && !isQueued(turn, ledger)) await channel.request('interrupt');
  return achieved(await turn.outcome);
}

/** Something else runs, or will run first. */
function isQueued(turn: LiveTurn, ledger: TurnLedger): boolean {
  return !turn.started && turn !== (ledger.current ?? ledger.open.values().next().value);
}

function achieved(outcome: TurnOutcome): InterruptOutcome {
  if (outcome.kind === 'interrupted') return 'interrupted';
  return outcome.kind === 'cancelled' && outcome.why === 'withdrawn' ? 'cancelled' : 'too_late';
}
