import { isPending } from './tools.ts';
import type { ChatMessage } from './wire.ts';

/** Announces to screen readers that the agent is at work, asks, or is done, and not every word as it arrives. */
export function LiveRegion({ messages, busy }: { readonly messages: readonly ChatMessage[]; readonly busy: boolean }) {
  return (
    <p className="visually-hidden" role="status" aria-live="polite">
      {announcement(messages.at(-1), busy)}
    </p>
  );
}

function announcement(last: ChatMessage | undefined, busy: boolean): string {
  if (last?.parts.some(isPending)) return 'The agent waits for your answer.';
  if (busy) return 'The agent is at work.';
  return last?.role === 'assistant' ? 'The agent is done.' : '';
}
