import { isRecord } from '@hexagent/checks';
import type { Fields } from './json-rpc.ts';

/** Keywords whose value is data, not a schema, although it may look like one. */
const literals: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples']);

/** Keywords whose value holds schemas by name. A name may equal a keyword. */
const named: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);

/** A copy of a JSON Schema in which it and all schemas inside were changed. */
export function mapSchemas(schema: Fields, change: (schema: Fields) => Fields): Fields {
  return mapValues(change(schema), (value, key) => {
    if (literals.has(key)) return value;
    const within = (inner: unknown): unknown => (isRecord(inner) ? mapSchemas(inner, change) : inner);
    if (Array.isArray(value)) return value.map(within);
    return named.has(key) && isRecord(value) ? mapValues(value, within) : within(value);
  });
}

/** Writes the tuples of JSON Schema draft 7 in the form of 2020-12, which the Messages API requires. */
export function withPrefixItems({ items, additionalItems, ...schema }: Fields): Fields {
  if (!Array.isArray(items)) return { ...schema, ...(items === undefined ? {} : { items }) };
  return { ...schema, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) };
}

export const mapValues = (fields: Fields, change: (value: unknown, key: string) => unknown): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, change(value, key)]));
