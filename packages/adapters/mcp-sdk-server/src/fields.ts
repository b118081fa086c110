import { isRecord } from '@hexagent/ports';
import type { StandardSchema } from './schema.ts';

/** One field of a raw shape. */
export interface Field {
  readonly key: string;
  readonly schema: StandardSchema;
  /** Whether the model may leave it out. */
  readonly optional: boolean;
  /** Left out, it is not even looked at: `z.exactOptional()` refuses `undefined` and still need not be there. */
  readonly ignoredWhenAbsent: boolean;
}

/** The fields of a raw shape; `undefined` for what is none. */
export function fieldsOf(shape: unknown): readonly Field[] | undefined {
  if (!isRecord(shape)) return undefined;
  const entries = Object.entries(shape);
  const fields = entries.flatMap(([key, schema]) => (isStandard(schema) ? [fieldOf(key, schema)] : []));
  return fields.length === entries.length ? fields : undefined;
}

function fieldOf(key: string, schema: StandardSchema): Field {
  return { key, schema, optional: isOptional(schema), ignoredWhenAbsent: zodOf(schema)?.optout === 'optional' };
}

/** Some libraries make their schemas functions. */
export function isStandard(value: unknown): value is StandardSchema {
  const mayBe = (typeof value === 'object' && value !== null) || typeof value === 'function';
  return mayBe && '~standard' in value && isRecord(value['~standard']);
}

/** What zod 4 knows of a field of an object; `undefined` for a schema that is not of zod 4. */
export function zodOf(schema: StandardSchema): { readonly optin?: unknown; readonly optout?: unknown } | undefined {
  return '_zod' in schema && isRecord(schema._zod) ? schema._zod : undefined;
}

function isOptional(schema: StandardSchema): boolean {
  // Zod tells. Its validator does not: `z.any()` accepts `undefined` and is required all the same, and transforms would run.
  const zod = zodOf(schema);
  if (zod !== undefined) return zod.optin !== undefined;
  const result = schema['~standard'].validate(undefined);
  return !(result instanceof Promise) && result.issues === undefined;
}
