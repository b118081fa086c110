import { isRecord } from '@hexagent/ports';
import { fieldsOf, isThenable, toStandard, type Field } from './fields.ts';
import type { Fields } from './json-rpc.ts';
import { objectSchemaOf, plainSchemaOf, shapeSchemaOf, type Listed } from './json-schema.ts';
import { compilePlain } from './plain-schema.ts';
import type { JsonSchema, StandardIssue, StandardResult } from './schema.ts';

/** A tool's schema, ready to be listed and to check arguments. */
export interface Arguments {
  readonly listed: Listed;
  readonly check: (given: Fields) => Checked | Promise<Checked>;
}

/** The arguments for the handler, or the reasons why it is not called. */
export type Checked = { readonly value: unknown } | { readonly problems: readonly string[] };

/**
 * @throws {TypeError} for what is no schema of an object.
 */
export function argumentsOf(schema: unknown, place: string): Arguments {
  const standard = toStandard(schema);
  if (standard !== undefined) {
    return {
      listed: objectSchemaOf(standard, place),
      check: (given) => afterValidation(standard['~standard'].validate(given), checked),
    };
  }
  if (isPlain(schema)) return plainArguments(schema, place);
  const fields = fieldsOf(schema);
  if (fields === undefined)
    throw new TypeError(
      `${place} must be a shape such as { city: z.string() }, a schema of an object, or a JSON Schema with \`type: 'object'\`.`,
    );
  return { listed: shapeSchemaOf(fields, place), check: (given) => ofShape(fields, given) };
}

function plainArguments(schema: JsonSchema, place: string): Arguments {
  const listed = plainSchemaOf(schema, place);
  const problemsOf = compilePlain(listed, place);
  return {
    listed,
    check(given) {
      const problems = problemsOf(given, '');
      return problems.length > 0 ? { problems } : { value: given };
    },
  };
}

function ofShape(fields: readonly Field[], given: Fields): Checked | Promise<Checked> {
  const results: (StandardResult | PromiseLike<StandardResult>)[] = [];
  let isReady = true;
  for (const { key, schema } of fields) {
    // Only own properties: every object inherits a `toString`.
    const result = schema['~standard'].validate(Object.hasOwn(given, key) ? given[key] : undefined);
    if (isRecord(result) && 'then' in result) isReady = false;
    results.push(result);
  }
  // Most validators return at once, so no promise is created per field and call.
  if (isReady) return combine(fields, given, results as readonly StandardResult[]); // none is a promise
  return Promise.all(results.map((result) => Promise.resolve(result))).then((ready) => combine(fields, given, ready));
}

/** Combines the results as zod does for an object with these fields. */
function combine(fields: readonly Field[], given: Fields, results: readonly StandardResult[]): Checked {
  const problems: string[] = [];
  const value: (readonly [string, unknown])[] = [];
  let index = 0;
  for (const field of fields) {
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

/** A validator that returned nothing has checked nothing, whatever its type says. */
const isAccepted = (result: StandardResult): result is Extract<StandardResult, { readonly value: unknown }> =>
  isObject(result) && (result.issues ?? undefined) === undefined;

function issuesIn(result: StandardResult): readonly StandardIssue[] {
  if (!isObject(result)) return [{ message: 'its schema returned no result, and { value } or { issues } is accepted' }];
  const { issues } = result;
  return Array.isArray(issues) && issues.length > 0 ? issues : [{ message: 'its schema refuses it without a reason' }];
}

/** The issues of some libraries are a list that has itself as `issues`. */
const isObject = (result: unknown): boolean => typeof result === 'object' && result !== null;

/** `address.city: Invalid input`. */
function formatIssue({ message, path = [] }: StandardIssue, ...outer: readonly string[]): string {
  const keys = [...outer, ...path.map((step) => String(typeof step === 'object' ? step.key : step))];
  return keys.length === 0 ? message : `${keys.join('.')}: ${message}`;
}

const afterValidation = (
  result: StandardResult | PromiseLike<StandardResult>,
  finish: (result: StandardResult) => Checked,
): Checked | Promise<Checked> => (isReady(result) ? finish(result) : Promise.resolve(result).then(finish));

const isReady = (result: StandardResult | PromiseLike<StandardResult>): result is StandardResult => !isThenable(result);

const isPlain = (value: unknown): value is JsonSchema => isRecord(value) && value['type'] === 'object';
