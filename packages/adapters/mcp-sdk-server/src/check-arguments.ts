import { isRecord, kindAndKeys } from '@hexagent/checks';
import type { Arguments } from './arguments.ts';
import { isAccepted, isObject, isThenable, type Field } from './fields.ts';
import type { Fields } from './json-rpc.ts';
import type { StandardIssue, StandardResult } from './schema.ts';
import { validatorOf, type Validate } from './validating.ts';

/** The arguments for the handler, or the reasons why it is not called. */
export type Checked = { readonly value: unknown } | { readonly problems: readonly string[] };

type Check = (given: Fields) => Checked | Promise<Checked>;

/** Each is prepared by the first call. */
const checks = /* @__PURE__ */ new WeakMap<Arguments, Check>();

export function checkArguments(args: Arguments, given: Fields): Checked | Promise<Checked> {
  let check = checks.get(args);
  if (check === undefined) {
    check = checkOf(args);
    checks.set(args, check);
  }
  return check(given);
}

function checkOf({ checkedBy }: Arguments): Check {
  if ('problemsOf' in checkedBy)
    return (given) => {
      const problems = checkedBy.problemsOf(given, '');
      return problems.length > 0 ? { problems } : { value: given };
    };
  if ('fields' in checkedBy) {
    const fields = checkedBy.fields.map((field) => [field, validatorOf(field.schema)] as const);
    return (given) => ofShape(fields, given);
  }
  const validate = validatorOf(checkedBy.standard);
  return (given) => afterValidation(validate(given), checked);
}

/** One field, and what validates it. */
type ValidatedField = readonly [field: Field, validate: Validate];

function ofShape(fields: readonly ValidatedField[], given: Fields): Checked | Promise<Checked> {
  const results: (StandardResult | PromiseLike<StandardResult>)[] = [];
  let isReady = true;
  for (const [{ key }, validate] of fields) {
    // Only own properties: every object inherits a `toString`.
    const result = attempted(validate, Object.hasOwn(given, key) ? given[key] : undefined);
    if (isRecord(result) && 'then' in result) isReady = false;
    results.push(result);
  }
  // Most validators return at once, so no promise is created per field and call.
  if (isReady) return combine(fields, given, results as readonly StandardResult[]); // none is a promise
  return Promise.all(results.map((result) => Promise.resolve(result))).then((ready) => combine(fields, given, ready));
}

/** One that throws must not leave another's promise behind, whose rejection would be unhandled. */
function attempted(validate: Validate, value: unknown): ReturnType<Validate> {
  try {
    return validate(value);
  } catch (error) {
    return Promise.reject(error);
  }
}

/** Combines the results as zod does for an object with these fields. */
function combine(fields: readonly ValidatedField[], given: Fields, results: readonly StandardResult[]): Checked {
  const problems: string[] = [];
  const value: (readonly [string, unknown])[] = [];
  let index = 0;
  for (const [field] of fields) {
    const result = results[index] as StandardResult; // one for each field
    index += 1;
    const accepted = isAccepted(result);
    const present = Object.hasOwn(given, field.key);
    // An argument that was left out and has no default stays out.
    if (accepted && (present || result.value !== undefined)) value.push([field.key, result.value]);
    if (present ? accepted : field.ignoredWhenAbsent) continue;
    const issues = !accepted ? issuesIn(result) : field.optional ? [] : [{ message: 'required, and missing' }];
    for (const issue of issues) problems.push(formatIssue(issue, field.key));
  }
  return problems.length > 0 ? { problems } : { value: Object.fromEntries(value) };
}

const checked = (result: StandardResult): Checked =>
  isAccepted(result) ? { value: result.value } : { problems: issuesIn(result).map((issue) => formatIssue(issue)) };

function issuesIn(result: StandardResult): readonly StandardIssue[] {
  if (!isObject(result)) return [{ message: 'its schema returned no result, and { value } or { issues } is accepted' }];
  const { issues } = result;
  if ((issues ?? undefined) === undefined && !('value' in result))
    return [{ message: `its schema returned ${kindAndKeys(result)}, and { value } or { issues } is accepted` }];
  return Array.isArray(issues) && issues.length > 0 ? issues : [{ message: refusedWithoutReason }];
}

const refusedWithoutReason = 'its schema refuses it without a reason';

/** `address.city: Invalid input`. The model reads which argument is wrong also where a library breaks the Standard Schema. */
function formatIssue(issue: StandardIssue, ...outer: readonly string[]): string {
  const { message, path }: { readonly [Key in keyof StandardIssue]?: unknown } = isObject(issue)
    ? issue
    : { message: issue };
  const steps: readonly unknown[] = Array.isArray(path) ? path : path === undefined ? [] : [path];
  const keys = [...outer, ...steps.map((step) => String(isRecord(step) && 'key' in step ? step['key'] : step))];
  const why = (typeof message === 'string' && message !== '' ? message : refusedWithoutReason) + whyNoneOf(issue);
  return keys.length === 0 ? why : `${keys.join('.')}: ${why}`;
}

/** Zod has the reasons of a union in a field of its own: the issues of each alternative. */
function whyNoneOf(issue: unknown): string {
  const alternatives: unknown = isRecord(issue) ? issue['errors'] : undefined;
  if (!Array.isArray(alternatives) || alternatives.length === 0 || !alternatives.every(isList)) return '';
  return ` (${alternatives.map((issues) => issues.map((inner) => formatIssue(inner)).join('; ')).join(' | ')})`;
}

const isList = (value: unknown): value is readonly StandardIssue[] => Array.isArray(value);

const afterValidation = (
  result: StandardResult | PromiseLike<StandardResult>,
  finish: (result: StandardResult) => Checked,
): Checked | Promise<Checked> => (isReady(result) ? finish(result) : Promise.resolve(result).then(finish));

const isReady = (result: StandardResult | PromiseLike<StandardResult>): result is StandardResult => !isThenable(result);
