import type { ApprovalRecord } from '@hexagent/ports';
import type { UiApproval, UiApprovalAnswer } from '@hexagent/ui-stream';
import { refusedSuggestions, type AnswerLimits } from './refused-suggestions.ts';

/** A call that waits, as a page receives it, with the choices that its answer may have. */
export function toUiApproval(record: ApprovalRecord, limits: AnswerLimits): UiApproval {
  const { id, toolUseId, tool, input, kind, suggestions, asksAgain, ...more } = record;
  const { agentId, title, blockedPath, description: reason } = more;
  const choices =
    kind === 'plan'
      ? { permissionModes: limits.permissionModes }
      : { refusedSuggestions: refusedSuggestions(record, limits) };
  return { id, toolUseId, tool, input, kind, suggestions, asksAgain, agentId, title, blockedPath, reason, ...choices };
}

/** The answer, as a page receives it. */
export function toUiAnswer({ id, answer, state, reason }: ApprovalRecord): UiApprovalAnswer {
  if (answer === undefined) return { id, approved: false, cancelled: true, reason: reason ?? state };
  return answer.behavior === 'allow' ? { id, approved: true } : { id, approved: false, reason: answer.message };
}
