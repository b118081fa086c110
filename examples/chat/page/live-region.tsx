import { isPending } from './tools.ts';
import type { ChatMessage } from './wire.ts';

/** Announces to screen readers that the agent is working, asks, or has finished, and not every word as it arrives. */
interface Props {
  readonly messages: readonly ChatMessage[];
  readonly busy: boolean;
  /** The connection is lost: a notice says so. */
  readonly isLost: boolean;
}

export function LiveRegion({ messages, busy, isLost }: Props) {
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {isLost ? '' : announcement(messages.at(-1), busy)}
    </p>
  );
}

function announcement(last: ChatMessage | undefined, busy: boolean): string {
  if (last?.parts.some(isPending)) return 'The agent is waiting for your answer.';
  if (busy) return 'The agent is working.';
  return last?.role === 'assistant' ? 'The agent has finished.' : '';
}
