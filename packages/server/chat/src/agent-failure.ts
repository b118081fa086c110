import { isRecord } from '@hexagent/checks';
import { cutCodes } from '@hexagent/hosting';
import type { AnyMessage, ErrorCode, FailedTurn } from '@hexagent/ports';
import type { UiEnd } from '@hexagent/ui-stream';

/** It continues in the process that takes the session up. */
const suspended: ReadonlySet<unknown> = new Set<ErrorCode>(['SESSION_SUSPENDED', 'HOST_CLOSED', 'LEASE_LOST']);

/** How the turn of a message ends that its agent did not finish. */
export function endOf(error: unknown): UiEnd {
  const code = fieldOf(error, 'code');
  // It was deleted, and is not to be run any more.
  if (code === 'SESSION_NOT_FOUND') return { kind: 'aborted' };
  return suspended.has(code) ? { kind: 'suspended' } : failureOf(error);
}

/** Messages may have paths and the last words of the agent. A page gets the code, which is one of a public list. */
export function failureOf(error: unknown): Extract<UiEnd, { readonly kind: 'error' }> {
  const [code, remedy] = [fieldOf(error, 'code'), fieldOf(error, 'remedy')];
  // Only errors of ours have both.
  const isKnown = code !== undefined && remedy !== undefined;
  const errorText = `The agent has exited before it answered${isKnown ? ` (${code})` : ''}.`;
  const goOn =
    'Restart the chat or send another message: it goes on where it was. The log of the server has the reason.';
  // Of an agent that ran, the remedy is for the program.
  return { kind: 'error', errorText, remedy: !isKnown || cutCodes.has(code) ? goOn : remedy };
}

/** A field of a thrown or a stored error. */
function fieldOf(error: unknown, name: 'code' | 'remedy'): string | undefined {
  const value = error instanceof Error || isRecord(error) ? Reflect.get(error, name) : undefined;
  return typeof value === 'string' ? value : undefined;
}

/**
 * The result of a turn that failed, with what to do about it beside the text of the agent. Of a turn that was ended here, since a key
 * was refused, the agent's own result only reports an interrupt.
 */
export function toFailedResult(result: AnyMessage, { message, hint }: FailedTurn): AnyMessage {
  const failure = { is_error: true, terminal_reason: undefined, errors: [message], remedy: hint?.remedy };
  return Object.assign({}, result, failure);
}
