import {
  allowRulesIn,
  rememberDestinations,
  type ApprovalAuditEntry,
  type ApprovalRecord,
  type Decision,
  type PermissionUpdate,
  type Settlement,
} from '@hexagent/ports';
import { redact, redactText } from './redact.ts';

/** What is kept for good about a settled request. */
export function toAuditEntry(record: ApprovalRecord, settlement: Settlement): ApprovalAuditEntry {
  const { id, session, kind, toolUseId, agentId, tool, input, createdAt } = record;
  const { state, settledAt, answer, actor, reason } = settlement;
  return {
    id,
    session,
    kind,
    toolUseId,
    agentId,
    tool,
    input: redact(input),
    askedAt: createdAt,
    state,
    settledAt,
    actor,
    ...(answer && decisionOf(answer, record)),
    ...(reason === undefined ? {} : { reason: redactText(reason) }),
  };
}

type Decided = Pick<ApprovalAuditEntry, 'behavior' | 'message' | 'changedInput' | 'updates'>;

function decisionOf(answer: Decision, record: ApprovalRecord): Decided {
  if (answer.behavior === 'deny') return { behavior: 'deny', message: redactText(answer.message) };
  const updates = updatesOf(answer, record);
  return {
    behavior: 'allow',
    ...(answer.updatedInput === undefined ? {} : { changedInput: redact(answer.updatedInput) }),
    ...(updates.length === 0 ? {} : { updates: redact(updates) }),
  };
}

/** Every change of permissions that an answer makes: those it names, and what it has remembered. */
export function updatesOf(answer: Decision, { suggestions }: ApprovalRecord): readonly PermissionUpdate[] {
  if (answer.behavior === 'deny') return [];
  const { updatedPermissions = [], remember } = answer;
  if (remember === undefined) return updatedPermissions;
  const destination = rememberDestinations[remember];
  const remembered = allowRulesIn(suggestions).map((rules): PermissionUpdate => ({
    type: 'addRules',
    rules,
    behavior: 'allow',
    destination,
  }));
  return [...updatedPermissions, ...remembered];
}
