import { textDeltaOf, type Turn } from '@hexagent/sdk';

/** Reads a turn until its text streams, and leaves the rest unread. */
export async function untilItStreams(turn: Turn): Promise<void> {
  for await (const message of turn) if (textDeltaOf(message) !== '') return;
}
