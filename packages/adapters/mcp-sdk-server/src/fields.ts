import { isRecord } from '@hexagent/checks';
import { handled } from '@hexagent/async';
import type { StandardIssue, StandardResult, StandardSchema } from './schema.ts';

/** One field of a raw shape. */
export interface Field {
  readonly key: string;
  readonly schema: StandardSchema;
  /** Whether a call without it is accepted. */
  readonly optional: boolean;
  /** Whether the model reads that it may leave it out. */
  readonly listedAsOptional: boolean;
  /** Whether a missing value is not validated: `z.exactOptional()` refuses `undefined`, and the field may be missing. */
  readonly ignoredWhenAbsent: boolean;
}

/** The fields of a raw shape; `undefined` for another value. */
export function fieldsOf(shape: unknown): readonly Field[] | undefined {
  if (!isRecord(shape)) return undefined;
  const entries = Object.entries(shape);
  const fields = entries.flatMap(([key, value]) => (isStandard(value) ? [fieldOf(key, value)] : []));
  return fields.length === entries.length ? fields : undefined;
}

function fieldOf(key: string, schema: StandardSchema): Field {
  const zod = zodOf(schema);
  const optional = isOptional(schema);
  return {
    key,
    schema,
    optional,
    listedAsOptional: zod === undefined ? optional : isListedAsOptional(zod),
    ignoredWhenAbsent: zod?.optout === 'optional',
  };
}

/** Some libraries implement the Standard Schema with functions. */
export function isStandard(value: unknown): value is StandardSchema {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return mayBe && '~standard' in value && isRecord(value['~standard']);
}

function isOptional(schema: StandardSchema): boolean {
  // Zod's internals have the answer. Its validator has not: `z.any()` accepts `undefined` and is required, and transforms would run.
  const zod = zodOf(schema);
  if (zod !== undefined) return zod.optin !== undefined;
  try {
    if ('isOptional' in schema && typeof schema.isOptional === 'function') return schema.isOptional() === true; // zod 3
    const result = schema['~standard'].validate(undefined);
    if (!isThenable(result)) return isAccepted(result);
    void handled(Promise.resolve(result));
  } catch {
    // Zod 3 throws where a check is asynchronous.
  }
  // Only a call shows whether it is required, so the model may leave it out.
  return true;
}

/**
 * Zod accepts a call without what `z.preprocess()` and `.catch()` make, since the program may make a value of nothing. The
 * model should send it all the same, as zod's own JSON Schema of an object says.
 */
function isListedAsOptional(zod: ZodInternals): boolean {
  if (zod.optin === undefined) return false;
  const inner = isRecord(zod.def) ? innerOf(zod.def) : undefined;
  return inner === undefined || isListedAsOptional(inner);
}

/** The inner schema, which decides for these kinds. */
function innerOf({ type, in: input, out, innerType }: Readonly<Record<string, unknown>>): ZodInternals | undefined {
  if (type === 'catch') return isRecord(innerType) ? zodOf(innerType) : undefined;
  const isPreprocessed = type === 'pipe' && isRecord(input) && typeOf(input) === 'transform';
  return isPreprocessed && isRecord(out) ? zodOf(out) : undefined;
}

function typeOf(schema: object): unknown {
  const def = zodOf(schema)?.def;
  return isRecord(def) ? def['type'] : undefined;
}

/** A promise of another realm is no `Promise` here. */
function isThenable<T>(value: T | PromiseLike<T>): value is PromiseLike<T> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}

/**
 * Zod is asked by its own method. Through the Standard Schema it tries without waiting first: an asynchronous check would run
 * twice, and the rejection of the first run is unhandled, which ends the program.
 */
export async function validate(schema: StandardSchema, value: unknown): Promise<StandardResult> {
  if (schema['~standard'].vendor !== 'zod' || !isParsing(schema)) return await schema['~standard'].validate(value);
  const parsed = await schema.safeParseAsync(value);
  return parsed.success === true ? { value: parsed.data } : { issues: parsed.error?.issues ?? [] };
}

interface Parsing {
  safeParseAsync(value: unknown): Promise<{
    readonly success?: unknown;
    readonly data?: unknown;
    readonly error?: { readonly issues: readonly StandardIssue[] } | undefined;
  }>;
}

const isParsing = (value: object): value is Parsing =>
  'safeParseAsync' in value && typeof value.safeParseAsync === 'function';

interface ZodInternals {
  readonly def?: unknown;
  readonly optin?: unknown;
  readonly optout?: unknown;
}

/** The internals of a schema of zod 4; `undefined` for another schema. */
export function zodOf(schema: object): ZodInternals | undefined {
  return '_zod' in schema && isRecord(schema._zod) ? schema._zod : undefined;
}

/** A validator that returned no value has not accepted the input, even if its type says so. */
export const isAccepted = (result: StandardResult): result is Extract<StandardResult, { readonly value: unknown }> =>
  isObject(result) && (result.issues ?? undefined) === undefined && 'value' in result;

/** The issues of some libraries are a list that has itself as `issues`. */
export const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;
