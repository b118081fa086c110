import type {
  Ask,
  AskAnswer,
  Decision,
  DialogAnswer,
  ElicitationAnswer,
  PermissionAsk,
  RememberScope,
} from '@hexagent/ports';
import { isPlainObject } from './json-copy.ts';
import { plainCopy, refuseProxies } from './plain-values.ts';
import { isRecord, kindOf, shown } from './unknown-values.ts';

/**
 * The members of an answer that are written to the agent; the protocol itself writes the last one. Of others some have another
 * meaning to the agent, which then waits for its answer for ever.
 */
export const answerMembers: readonly string[] = [
  'behavior',
  'message',
  'interrupt',
  'updatedInput',
  'updatedPermissions',
  'decisionClassification',
  'toolUseID',
];
/** What `remember` asks for is written as changes to permissions. */
const known: readonly string[] = [...answerMembers, 'remember'];

/**
 * A copy of an answer, each member read once: what is judged is what is sent. Members that are not known are left out of
 * a denial, which stands whatever else it has.
 * @throws {TypeError} for a call that is allowed in a form of which a part would be lost, naming the place.
 */
export function plainAnswer(given: object): Readonly<Record<string, unknown>> {
  if (!isPlainObject(given))
    throw new TypeError(`An answer must be what allow() or deny() returns, not ${kindOf(given)}.`);
  const read: Record<string, unknown> = {};
  for (const name of known) {
    const member = Reflect.getOwnPropertyDescriptor(given, name);
    if (member !== undefined) Object.defineProperty(read, name, { ...member, enumerable: true });
  }
  const { toolUseID: _, ...answer } = plainCopy(read, '');
  const unknown = Reflect.ownKeys(given).filter((name) => typeof name === 'symbol' || !known.includes(name));
  const [first] = unknown;
  if (answer['behavior'] === 'deny') return answer;
  if (first === undefined) {
    refuseProxies(given, '');
    return answer;
  }
  // What neither allows nor denies is refused by the protocol, which names the members.
  if (answer['behavior'] !== 'allow')
    return { ...Object.fromEntries(unknown.map((name) => [name, undefined])), ...answer };
  throw new TypeError(
    `${shown(String(first))} is no member of an answer, so the original call would run. Return what allow() makes: it takes \`input\`, \`remember\` and \`updates\`.`,
  );
}

/**
 * An answer to what a person is asked, read once. What the agent could not use, or would take for something else without an error,
 * is refused here, where the caller can still answer otherwise.
 * @throws {TypeError} naming the field.
 */
export function checkedAnswer(given: unknown, ask: Ask): AskAnswer {
  if (ask.kind === 'elicitation') return isDenial(given) ? { action: 'decline' } : checkedElicitation(given);
  if (ask.kind === 'dialog') return isDenial(given) ? { behavior: 'cancelled' } : checkedDialog(given);
  return checkedDecision(given, ask);
}

/** The same for a call, a question or a plan. */
export function checkedDecision(
  given: unknown,
  { kind, input }: { readonly kind: PermissionAsk['kind']; readonly input: unknown },
): Decision {
  const decision = isPlainObject(given) ? plainAnswer(given) : {};
  const { behavior, message, interrupt } = decision;
  if (behavior === 'deny' && typeof message === 'string') {
    if (interrupt === undefined || typeof interrupt === 'boolean') return decision as Decision; // the rest is for the protocol
    throw new TypeError(`\`interrupt\` of an answer must be true or false, not ${kindOf(interrupt)}.`);
  }
  if (behavior !== 'allow') throw new TypeError(`${answeredBy[kind]} returns, not by ${kindOf(given)}.`);
  checkChanges(decision, input);
  const allowed = decision as Allowed; // as it was just found to be
  if (kind === 'question') checkQuestionAnswer(allowed);
  if (kind === 'plan') checkPlanApproval(allowed);
  return allowed;
}

type Allowed = Extract<Decision, { behavior: 'allow' }>;

const answeredBy: Readonly<Record<PermissionAsk['kind'], string>> = {
  call: 'A call is answered by what allow() or deny()',
  question: 'A question is answered by what answerQuestions() or declineQuestions()',
  plan: 'A plan is answered by what approvePlan() or revisePlan()',
};

const scopes: readonly RememberScope[] = ['session', 'local', 'project', 'user'];

function checkChanges(
  { updatedInput, updatedPermissions, remember }: Readonly<Record<string, unknown>>,
  input: unknown,
): void {
  if (updatedInput !== undefined && !isRecord(updatedInput))
    throw new TypeError(
      `\`updatedInput\` of an answer must be the tool's whole input as an object, not ${kindOf(updatedInput)}. Leave it out to run the original.`,
    );
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions))
    throw new TypeError(
      `\`updatedPermissions\` of an answer must be a list of changes to permissions, not ${kindOf(updatedPermissions)}.`,
    );
  if (isEmpty(updatedInput) && !isEmpty(input))
    throw new TypeError(
      '`updatedInput` of an answer is empty, which the agent takes for an input that was not changed. Leave it out to run the original, or deny.',
    );
  if (remember !== undefined && !scopes.some((scope) => scope === remember))
    throw new TypeError(`\`remember\` must be session, local, project or user, not ${shown(remember)}.`);
}

function checkQuestionAnswer({ updatedInput }: Allowed): void {
  if (isRecord(updatedInput) && isRecord(updatedInput['answers']) && Array.isArray(updatedInput['questions'])) return;
  throw new TypeError(
    `${answeredBy.question} makes of its input: without its \`questions\` and \`answers\` the model reads that nobody answered.`,
  );
}

function checkPlanApproval({ updatedPermissions = [], remember }: Allowed): void {
  const mode = updatedPermissions.find((update) => update.type === 'setMode')?.mode;
  if (mode === 'bypassPermissions' || mode === 'plan')
    throw new TypeError(`A plan cannot be approved into the mode ${mode}: the agent would take \`default\`.`);
  if (remember !== undefined) throw new TypeError('`remember` is for calls of tools: a plan has no rule to remember.');
}

function checkedElicitation(given: unknown): ElicitationAnswer {
  const { action, content } = isPlainObject(given) ? plainCopy(given, '') : {};
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel')
    throw new TypeError(
      `A request of an MCP server is answered by { action: "accept" | "decline" | "cancel", content? }, not by ${kindOf(given)}.`,
    );
  if (content !== undefined && !isRecord(content))
    throw new TypeError(`\`content\` of an answer must be an object with the fields, not ${kindOf(content)}.`);
  return content === undefined ? { action } : { action, content };
}

function checkedDialog(given: unknown): DialogAnswer {
  const { behavior, result } = isPlainObject(given) ? plainCopy(given, '') : {};
  if (behavior === 'completed') return { behavior, result };
  if (behavior === 'cancelled') return { behavior };
  throw new TypeError(
    `A dialog is answered by { behavior: "completed", result } or { behavior: "cancelled" }, not by ${kindOf(given)}.`,
  );
}

/** What `deny()` makes answers every kind of request. */
const isDenial = (given: unknown): boolean => isPlainObject(given) && plainCopy(given, '')['behavior'] === 'deny';

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
