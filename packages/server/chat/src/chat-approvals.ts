import { allowWith, type Approvals } from '@hexagent/approvals';
import type {
  ApprovalRecord,
  ChatAnswer,
  ChatApprovals,
  ChatCaller,
  ChatSettlement,
  Decision,
  ModeAfterPlan,
} from '@hexagent/ports';
import { answerQuestions, approvePlan, declineQuestions, deny, revisePlan } from '@hexagent/sdk';
import type { SessionHost } from '@hexagent/hosting';
import { chatKey } from './chat-keys.ts';
import { refuseElsewhere } from './elsewhere.ts';
import { refusedSuggestions, type AnswerLimits } from './refused-suggestions.ts';

/** Answers of a page, as those of the approvals of its chat. */
export function toChatApprovals(
  approvals: Pick<Approvals, 'get' | 'settle'>,
  limits: AnswerLimits,
  host: Pick<SessionHost, 'get' | 'isElsewhere'>,
): ChatApprovals {
  return {
    async settle(chatId, approvalId, answer, caller): Promise<ChatSettlement> {
      const record = await approvals.get(approvalId);
      if (record === undefined || record.session !== chatKey(chatId, caller.tenant)) return { kind: 'unknown' };
      // An answer that is stored here would never reach an agent of another process, which waits for it.
      if (record.state === 'open') await refuseElsewhere(host, record.session);
      const refusal = refusalOf(answer, record, limits);
      if (refusal !== undefined) return { kind: 'refused', reason: refusal };
      return await settled(approvals, { record, answer, caller });
    },
  };
}

async function settled(
  approvals: Pick<Approvals, 'settle'>,
  { record, answer, caller }: { record: ApprovalRecord; answer: ChatAnswer; caller: ChatCaller },
): Promise<ChatSettlement> {
  let decision: Decision;
  try {
    decision = toDecision(answer, record);
  } catch (error) {
    // These errors describe a mistake in the answer, so the page may read their messages.
    if (error instanceof TypeError) return { kind: 'refused', reason: error.message };
    throw error;
  }
  const outcome = await approvals.settle(record.id, decision, caller.name);
  if (outcome.outcome === 'already') return { kind: 'already', state: outcome.record.state };
  return { kind: outcome.outcome };
}

/** Why an answer is refused: it has fields of another kind of request, or chooses what callers may not. */
function refusalOf(
  { approved, suggestions = [], answers, plan, permissionMode }: ChatAnswer,
  record: ApprovalRecord,
  limits: AnswerLimits,
): string | undefined {
  const { kind, suggestions: offered } = record;
  const given = { suggestions: suggestions.length > 0, answers: answers !== undefined, plan: plan !== undefined };
  if (!approved && (given.suggestions || given.answers || given.plan)) return 'A refusal has no more than a `reason`.';
  if (given.answers && kind !== 'question') return 'Only a question has `answers`.';
  if ((given.plan || permissionMode !== undefined) && kind !== 'plan')
    return 'Only a plan has a `plan` and a `permissionMode`.';
  if (given.suggestions && kind !== 'permission') return 'Only a call of a tool has `suggestions`.';
  if (approved && kind === 'question' && !given.answers) return 'A question is approved with `answers`.';
  if (suggestions.some((position) => offered[position] === undefined))
    return `There are ${offered.length} suggestions, counted from 0.`;
  return refusedSuggestions(record, limits).find(({ index }) => suggestions.includes(index))?.reason;
}

function toDecision(answer: ChatAnswer, record: ApprovalRecord): Decision {
  const { approved, suggestions = [], answers = {}, plan, permissionMode } = answer;
  if (!approved) return toDenial(answer, record);
  if (record.kind === 'permission') return allowWith(record, suggestions);
  if (record.kind === 'question') return answerQuestions(record, answers);
  // `approvePlan` throws for a mode in which the agent cannot continue.
  return approvePlan(record, { plan, mode: permissionMode as ModeAfterPlan | undefined });
}

function toDenial({ reason, interrupt }: ChatAnswer, { kind }: ApprovalRecord): Decision {
  if (interrupt === true) return deny(reason ?? 'The user stopped this.', { interrupt });
  if (kind === 'question') return declineQuestions(reason);
  if (kind === 'plan') return revisePlan(reason ?? 'The user does not approve this plan. Ask what to change.');
  return deny(reason ?? 'The user does not allow this.');
}
