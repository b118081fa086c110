import { isRecord } from '@hexagent/ports';
import type { StandardSchema } from './schema.ts';

/** One field of a raw shape. */
export interface Field {
  readonly key: string;
  readonly schema: StandardSchema;
  /** Whether the model may leave it out. */
  readonly optional: boolean;
  /** Whether a missing value is not validated: `z.exactOptional()` refuses `undefined`, and the field may be missing. */
  readonly ignoredWhenAbsent: boolean;
}

/** The fields of a raw shape; `undefined` for another value. */
export function fieldsOf(shape: unknown): readonly Field[] | undefined {
  if (!isRecord(shape)) return undefined;
  const entries = Object.entries(shape);
  const fields = entries.flatMap(([key, schema]) => (isStandard(schema) ? [fieldOf(key, schema)] : []));
  return fields.length === entries.length ? fields : undefined;
}

function fieldOf(key: string, schema: StandardSchema): Field {
  return { key, schema, optional: isOptional(schema), ignoredWhenAbsent: zodOf(schema)?.optout === 'optional' };
}

/** Whether the value follows the Standard Schema, which some libraries implement with functions. */
export function isStandard(value: unknown): value is StandardSchema {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return mayBe && '~standard' in value && isRecord(value['~standard']);
}

/** The internals of a schema of zod 4; `undefined` for another schema. */
export function zodOf(schema: StandardSchema): { readonly optin?: unknown; readonly optout?: unknown } | undefined {
  return '_zod' in schema && isRecord(schema._zod) ? schema._zod : undefined;
}

function isOptional(schema: StandardSchema): boolean {
  // Zod's internals have the answer. Its validator has not: `z.any()` accepts `undefined` and is required, and transforms would run.
  const zod = zodOf(schema);
  if (zod !== undefined) return zod.optin !== undefined;
  const result = schema['~standard'].validate(undefined);
  return !(result instanceof Promise) && result.issues === undefined;
}
