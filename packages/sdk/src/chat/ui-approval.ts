import type { ApprovalRecord } from '@hexagent/ports';
import type { UiApproval, UiApprovalAnswer } from '@hexagent/ui-stream';

/** What a page is shown of a call that waits. */
export function toUiApproval(record: ApprovalRecord): UiApproval {
  const { id, toolUseId, tool, input, kind, suggestions, agentId, title, blockedPath, description } = record;
  return { id, toolUseId, tool, input, kind, suggestions, agentId, title, blockedPath, reason: description };
}

/** What a page is shown of what became of it. */
export function toUiAnswer({ id, answer, state, reason }: ApprovalRecord): UiApprovalAnswer {
  if (answer === undefined) return { id, approved: false, cancelled: true, reason: reason ?? state };
  return answer.behavior === 'allow' ? { id, approved: true } : { id, approved: false, reason: answer.message };
}
