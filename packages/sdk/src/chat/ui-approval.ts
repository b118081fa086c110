import type { ApprovalRecord, CliPermissionMode } from '@hexagent/ports';
import type { UiApproval, UiApprovalAnswer } from '@hexagent/ui-stream';
import { refusedSuggestions } from './refused-suggestions.ts';

/** What a page is shown of a call that waits, and what it may choose with its answer. */
export function toUiApproval(record: ApprovalRecord, modes: readonly CliPermissionMode[]): UiApproval {
  const { id, toolUseId, tool, input, kind, suggestions, agentId, title, blockedPath, description: reason } = record;
  const choices =
    kind === 'plan' ? { permissionModes: modes } : { refusedSuggestions: refusedSuggestions(record, modes) };
  return { id, toolUseId, tool, input, kind, suggestions, agentId, title, blockedPath, reason, ...choices };
}

/** What a page shows of its answer. */
export function toUiAnswer({ id, answer, state, reason }: ApprovalRecord): UiApprovalAnswer {
  if (answer === undefined) return { id, approved: false, cancelled: true, reason: reason ?? state };
  return answer.behavior === 'allow' ? { id, approved: true } : { id, approved: false, reason: answer.message };
}
