import type { Decision } from '@hexagent/ports';
import { isPlainObject } from './json-copy.ts';
import { plainCopy } from './plain-values.ts';
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
  if (answer['behavior'] === 'deny' || first === undefined) return answer;
  // What neither allows nor denies is refused by the protocol, which names the members.
  if (answer['behavior'] !== 'allow')
    return { ...Object.fromEntries(unknown.map((name) => [name, undefined])), ...answer };
  throw new TypeError(
    `${shown(String(first))} is no member of an answer, so the original call would run. Return what allow() makes: it takes \`input\`, \`remember\` and \`updates\`.`,
  );
}

/**
 * A decision by which a request is answered by its id, read once. What the agent could not use is refused here, where
 * the caller can still answer otherwise.
 * @throws {TypeError} naming the field.
 */
export function checkedDecision(given: unknown, request: { readonly input: unknown } | undefined): Decision {
  const decision = isPlainObject(given) ? plainAnswer(given) : {};
  const { behavior, message, interrupt, updatedInput, updatedPermissions } = decision;
  if (behavior === 'deny' && typeof message === 'string') {
    if (interrupt === undefined || typeof interrupt === 'boolean') return decision as Decision; // the rest is for the protocol
    throw new TypeError(`\`interrupt\` of an answer must be true or false, not ${kindOf(interrupt)}.`);
  }
  if (behavior !== 'allow')
    throw new TypeError(`A pending request is answered by what allow() or deny() returns, not by ${kindOf(given)}.`);
  if (updatedInput !== undefined && !isRecord(updatedInput))
    throw new TypeError(
      `\`updatedInput\` of an answer must be the tool's whole input as an object, not ${kindOf(updatedInput)}. Leave it out to run the original.`,
    );
  if (updatedPermissions !== undefined && !Array.isArray(updatedPermissions))
    throw new TypeError(
      `\`updatedPermissions\` of an answer must be a list of changes to permissions, not ${kindOf(updatedPermissions)}.`,
    );
  if (isEmpty(updatedInput) && request !== undefined && !isEmpty(request.input))
    throw new TypeError(
      '`updatedInput` of an answer is empty, which the agent takes for an input that was not changed. Leave it out to run the original, or deny.',
    );
  return decision as Decision; // as it was just found to be
}

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
