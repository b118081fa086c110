import { isRecord, kindAndKeys } from '@hexagent/checks';
import type { Arguments } from './arguments.ts';
import { isAccepted, isObject, validate, type Field } from './fields.ts';
import type { Fields } from './json-rpc.ts';
import type { StandardIssue, StandardResult, StandardSchema } from './schema.ts';

/** The arguments for the handler, or the reasons why it is not called. */
export type Checked = { readonly value: unknown } | { readonly problems: readonly string[] };

export async function checkArguments({ checkedBy }: Arguments, given: Fields): Promise<Checked> {
  if ('problemsOf' in checkedBy) {
    const problems = checkedBy.problemsOf(given, '');
    return problems.length > 0 ? { problems } : { value: given };
  }
  if ('standard' in checkedBy) return await checkStandard(checkedBy.standard, given);
  const { fields } = checkedBy;
  // Only own properties: every object inherits a `toString`.
  const results = fields.map(({ key, schema }) => validate(schema, Object.hasOwn(given, key) ? given[key] : undefined));
  return combine(fields, given, await Promise.all(results));
}

export async function checkStandard(schema: StandardSchema, given: unknown): Promise<Checked> {
  const result = await validate(schema, given);
  return isAccepted(result)
    ? { value: result.value }
    : { problems: issuesIn(result).map((issue) => formatIssue(issue)) };
}

/** Combines the results as zod does for an object with these fields. */
function combine(fields: readonly Field[], given: Fields, results: readonly StandardResult[]): Checked {
  const problems: string[] = [];
  const value: (readonly [string, unknown])[] = [];
  for (const [index, field] of fields.entries()) {
    const result = results[index] as StandardResult; // one for each field
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

/** Zod puts the reasons of a union into the field `errors`: the issues of each alternative. */
function whyNoneOf(issue: unknown): string {
  const alternatives: unknown = isRecord(issue) ? issue['errors'] : undefined;
  if (!Array.isArray(alternatives) || alternatives.length === 0 || !alternatives.every(isList)) return '';
  return ` (${alternatives.map((issues) => issues.map((inner) => formatIssue(inner)).join('; ')).join(' | ')})`;
}

const isList = (value: unknown): value is readonly StandardIssue[] => Array.isArray(value);
