import type { AnyMessage, FailedTurn } from '@hexagent/ports';

/**
 * The result of a turn that failed, with what to do about it beside the text of the agent. Of a turn that was ended here, since a key
 * was refused, the agent's own result only reports an interrupt.
 */
export function toFailedResult(result: AnyMessage, { message, hint }: FailedTurn): AnyMessage {
  const failure = { is_error: true, terminal_reason: undefined, errors: [message], remedy: hint?.remedy };
  return Object.assign({}, result, failure);
}
