import type { Decision } from './approvals.ts';
import { jsonCopy } from './json-copy.ts';
import { isRecord, kindOf } from './unknown-values.ts';

/**
 * A decision by which a request is answered by its id, read once. What the agent could not use is refused here, where
 * the caller can still answer otherwise.
 * @throws {TypeError} naming the field.
 */
export function checkedDecision(given: unknown, request: { readonly input: unknown } | undefined): Decision {
  const decision: Readonly<Record<string, unknown>> = isRecord(given) ? { ...given } : {};
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
  const fields = { ...decision, ...carried({ updatedInput, updatedPermissions }) };
  if (isEmpty(fields['updatedInput']) && request !== undefined && !isEmpty(request.input))
    throw new TypeError(
      '`updatedInput` of an answer is empty, which the agent takes for an input that was not changed. Leave it out to run the original, or deny.',
    );
  return fields as Decision; // as it was just found to be
}

/** What JSON would lose, the agent would not get. */
function carried(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const copies = Object.entries(fields).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (value === undefined) return [];
    const { copy, lost } = jsonCopy(value, { name, exact: true });
    if (lost === undefined) return [[name, copy]];
    throw new TypeError(`${lost} Pass plain objects, or deny.`);
  });
  return Object.fromEntries(copies);
}

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
