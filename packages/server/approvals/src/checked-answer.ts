import { checkedDecision, isRecord, kindOf } from '@hexagent/checks';
import type { ApprovalRecord, Decision } from '@hexagent/ports';

/**
 * The answer to a record, read once. What the agent could not use, or would take for something else without an error, is
 * refused here, where the caller can still answer otherwise.
 * @throws {TypeError} naming the field.
 */
export function checkedAnswer(given: unknown, record: ApprovalRecord): Decision {
  const decision = checkedDecision(given, record);
  if (decision.behavior === 'deny') return decision;
  if (record.kind === 'question') checkQuestionAnswer(decision);
  if (record.kind === 'plan') checkPlanApproval(decision);
  checkRemember(decision);
  return decision;
}

export function checkActor(actor: unknown): asserts actor is string {
  if (typeof actor === 'string' && actor.trim() !== '') return;
  throw new TypeError(
    `The actor must be a text that names who answers, not ${actor === '' ? 'an empty one' : kindOf(actor)}.`,
  );
}

type Allowed = Extract<Decision, { behavior: 'allow' }>;

function checkQuestionAnswer({ updatedInput }: Allowed): void {
  if (isRecord(updatedInput) && isRecord(updatedInput['answers']) && Array.isArray(updatedInput['questions'])) return;
  throw new TypeError(
    'A question is answered by what answerQuestions() or declineQuestions() makes of its input: without its `questions` and `answers` the model reads that nobody answered.',
  );
}

function checkPlanApproval({ updatedPermissions = [], remember }: Allowed): void {
  const mode = updatedPermissions.find((update) => update.type === 'setMode')?.mode;
  if (mode === 'bypassPermissions' || mode === 'plan')
    throw new TypeError(`A plan cannot be approved into the mode ${mode}: the agent would take \`default\`.`);
  if (remember !== undefined) throw new TypeError('`remember` is for calls of tools: a plan has no rule to remember.');
}

function checkRemember({ remember }: Allowed): void {
  const scopes: readonly unknown[] = [undefined, 'session', 'local', 'project', 'user'];
  if (scopes.includes(remember)) return;
  throw new TypeError(`\`remember\` must be session, local, project or user, not ${kindOf(remember)}.`);
}
