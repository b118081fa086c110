import { SdkError } from '@hexagent/ports';
import type { UiEnd } from '@hexagent/ui-stream';

/** It continues in the process that takes the session up. */
const suspended: ReadonlySet<unknown> = new Set(['SESSION_SUSPENDED', 'HOST_CLOSED', 'LEASE_LOST']);

/** Of an agent that ran. The remedy of its error is for the program. */
const ended: ReadonlySet<unknown> = new Set(['AGENT_EXITED', 'CHANNEL_CLOSED', 'CONVERSATION_CLOSED']);

/** How the turn of a message ends that its agent did not finish. */
export function endOf(error: unknown): UiEnd {
  return SdkError.is(error) && suspended.has(error.code) ? { kind: 'suspended' } : failureOf(error);
}

/** Messages may have paths and the last words of the agent. A page gets the code, which is one of a public list. */
export function failureOf(error: unknown): Extract<UiEnd, { readonly kind: 'error' }> {
  const known = SdkError.is(error) ? error : undefined;
  const errorText = `The agent has exited before it answered${known ? ` (${known.code})` : ''}.`;
  const goOn =
    'Restart the chat or send another message: it goes on where it was. The log of the server has the reason.';
  return { kind: 'error', errorText, remedy: known === undefined || ended.has(known.code) ? goOn : known.remedy };
}
