import { jsonCopy } from '@hexagent/checks';
import type { ApprovalKind, ApprovalRecord, Decision, OfferedAnswer, PermissionAsk } from '@hexagent/ports';
import { updatesOf } from './audit-entry.ts';
import { isSameJson } from './same-json.ts';
import { isPersistent } from './suggestions.ts';

export const kinds: Readonly<Record<PermissionAsk['kind'], ApprovalKind>> = {
  call: 'permission',
  question: 'question',
  plan: 'plan',
};

export interface RecordFields {
  readonly id: string;
  readonly session: string;
  readonly createdAt: number;
  readonly expiresAt: number | undefined;
}

/**
 * The record of a request that the agent makes now.
 * @throws {TypeError} for a request of an agent in the same process that JSON cannot carry.
 */
export function toRecord(
  { request, kind, tool, input, suggestions, asksAgain }: PermissionAsk,
  fields: RecordFields,
): ApprovalRecord {
  const { tool_use_id: toolUseId, agent_id: agentId, title, description, blocked_path: blockedPath } = request;
  const record: ApprovalRecord = {
    ...fields,
    kind: kinds[kind],
    toolUseId,
    agentId,
    tool,
    input,
    suggestions,
    asksAgain,
    title,
    description,
    blockedPath,
    state: 'open',
  };
  const { copy, lost } = jsonCopy(record, { name: 'the request' });
  if (lost !== undefined) throw new TypeError(lost);
  return copy as ApprovalRecord; // a copy of it, without what is undefined
}

/** The earlier request for the same call: the last one that a person answered, or else the last one that was lost. */
export function findOffered(
  { tool, input }: ApprovalRecord,
  earlier: readonly ApprovalRecord[],
): OfferedAnswer | undefined {
  const same = earlier.filter((record) => record.tool === tool && isSameJson(record.input, input));
  const found = same.findLast(({ state }) => state === 'answered') ?? same.findLast(({ state }) => state === 'lost');
  if (found === undefined) return undefined;
  const { id, answer, actor, settledAt, createdAt } = found;
  return {
    id,
    at: settledAt ?? createdAt,
    ...(answer === undefined ? {} : { answer }),
    ...(actor === undefined ? {} : { actor }),
  };
}

/**
 * What the agent is sent for an answered record. Without a changed input it is the one that the person was shown, named
 * again: what was shown is what runs.
 */
export function toDecision(answer: Decision, record: ApprovalRecord): Decision {
  const isCall = record.kind === 'permission';
  if (answer.behavior === 'deny') return isCall ? { decisionClassification: 'user_reject', ...answer } : answer;
  // The agent takes an empty input for one that was not changed, which it is not.
  const isEmpty = Object.keys(record.input).length === 0;
  const shownInput = isEmpty ? {} : { updatedInput: record.input };
  if (!isCall) return { ...shownInput, ...answer };
  const isKept = updatesOf(answer, record).some(isPersistent);
  return { decisionClassification: isKept ? 'user_permanent' : 'user_temporary', ...shownInput, ...answer };
}
