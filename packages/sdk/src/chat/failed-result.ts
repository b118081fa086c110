import type { AnyMessage, FailedTurn } from '@hexagent/ports';

/**
 * The result of a turn that failed, with what to do about it in its second line. Of a turn that was ended here, since a key
 * was refused, the agent's own result only reports an interrupt.
 */
export function toFailedResult(result: AnyMessage, { message, hint }: FailedTurn): AnyMessage {
  const errors = [hint === undefined ? message : `${message}\n${hint.remedy}`];
  return Object.assign({}, result, { is_error: true, terminal_reason: undefined, errors });
}
