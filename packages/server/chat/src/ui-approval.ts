import type { ApprovalRecord } from '@hexagent/ports';
import type { UiApproval, UiApprovalAnswer } from '@hexagent/ui-stream';
import { refusedSuggestions, type AnswerLimits } from './refused-suggestions.ts';

/** What a page is shown of a call that waits, and what it may choose with its answer. */
export function toUiApproval(record: ApprovalRecord, limits: AnswerLimits): UiApproval {
  const { id, toolUseId, tool, input, kind, suggestions, asksAgain, ...more } = record;
  const { agentId, title, blockedPath, description: reason } = more;
  const choices =
    kind === 'plan'
      ? { permissionModes: limits.permissionModes }
      : { refusedSuggestions: refusedSuggestions(record, limits) };
  return { id, toolUseId, tool, input, kind, suggestions, asksAgain, agentId, title, blockedPath, reason, ...choices };
}

/** What a page shows of its answer. */
export function toUiAnswer({ id, answer, state, reason }: ApprovalRecord): UiApprovalAnswer {
  if (answer === undefined) return { id, approved: false, cancelled: true, reason: reason ?? state };
  return answer.behavior === 'allow' ? { id, approved: true } : { id, approved: false, reason: answer.message };
}
