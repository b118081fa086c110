import { SdkError, type ConversationRewind } from '@hexagent/ports';

export const refused = (message: string, cause?: unknown): SdkError =>
  new SdkError('HISTORY_REFUSED', message, cause === undefined ? {} : { cause });

const reasons: Readonly<Record<string, string>> = {
  target_not_found: 'The agent has no such turn in its conversation',
  stale_target: 'It is not the newest turn',
  turn_running: 'A turn is running: wait for `session.idle()`',
};

/** The error for a turn that the agent does not take back. */
export function notRewound(turn: string, answer: ConversationRewind): SdkError {
  const why = reasons[answer.reason ?? ''] ?? answer.error ?? 'The agent gave no reason';
  return refused(`Turn ${turn} was not taken back. ${why}.`, answer);
}

/** The error for files that cannot be restored. Nothing has changed. */
export function notRestorable(turn: string, error: string | undefined): SdkError {
  if (error === 'File rewinding is not enabled.')
    return refused(
      'The session does not record what its agent changes. Open it with `checkpoints: true` to restore files.',
    );
  return refused(`The files of turn ${turn} cannot be restored: ${error ?? 'the agent gave no reason'}`);
}
