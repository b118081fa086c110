import { isRecord } from '@hexagent/checks';
import type { Fields } from './json-rpc.ts';
import { targetOf } from './plain-schema.ts';
import type { JsonSchema } from './schema.ts';

/** The properties that an object may have, and those that it must have. */
interface Members {
  readonly properties: ReadonlyMap<string, unknown>;
  readonly required: readonly string[];
}

/**
 * The same schema for the list of tools. The agent leaves out a tool whose schema has `anyOf`, `oneOf` or `allOf` at its top
 * level, which the Messages API does not accept there. The alternatives become properties: a property is required if each
 * alternative requires it. A property that differs between them has its own alternatives. The original checks the arguments.
 */
export function withoutTopLevelAlternatives(schema: JsonSchema): JsonSchema {
  const { anyOf, oneOf, allOf, properties: _p, required: _r, ...rest } = schema;
  if (anyOf === undefined && oneOf === undefined && allOf === undefined) return schema;
  // A reference to one of the alternatives would have no target.
  if (/"\$ref":"#\/(?:any|one|all)Of/.test(JSON.stringify(schema))) return schema;
  const { properties, required } = membersOf(schema, schema) ?? both([]);
  return {
    ...rest,
    type: 'object',
    properties: Object.fromEntries(properties),
    ...(required.length > 0 && { required }),
  };
}

/** `undefined` for a schema that accepts no object. */
function membersOf(schema: unknown, root: Fields, within: readonly unknown[] = []): Members | undefined {
  if (schema === false) return undefined;
  // One that contains itself beside its properties adds nothing.
  if (!isRecord(schema) || within.includes(schema)) return both([]);
  const { type, properties, required, $ref, anyOf, oneOf, allOf } = schema;
  if (type !== undefined && ![type].flat().includes('object')) return undefined;
  const inner = (parts: unknown): readonly Members[] =>
    (Array.isArray(parts) ? parts : []).flatMap((part) => membersOf(part, root, [...within, schema]) ?? []);
  const alternatives = [anyOf, oneOf].filter(Array.isArray);
  return both([
    {
      properties: new Map(isRecord(properties) ? Object.entries(properties) : []),
      required: (Array.isArray(required) ? required : []).filter((name) => typeof name === 'string'),
    },
    ...inner(typeof $ref === 'string' ? [targetOf($ref, root)] : []),
    ...inner(allOf),
    ...alternatives.map((list) => either(inner(list))),
  ]);
}

const both = (parts: readonly Members[]): Members => ({
  properties: merged(parts, 'allOf'),
  required: [...new Set(parts.flatMap(({ required }) => required))],
});

const either = (parts: readonly Members[]): Members => ({
  properties: merged(parts, 'anyOf'),
  required: (parts[0]?.required ?? []).filter((name) => parts.every(({ required }) => required.includes(name))),
});

/** A property that several have is combined where it differs. */
function merged(parts: readonly Members[], combine: 'allOf' | 'anyOf'): Members['properties'] {
  const schemas = new Map<string, Map<string, unknown>>();
  for (const { properties } of parts)
    for (const [name, schema] of properties)
      schemas.set(name, (schemas.get(name) ?? new Map<string, unknown>()).set(JSON.stringify(schema), schema));
  return new Map(
    [...schemas].map(([name, found]) => {
      const [first, ...others] = found.values();
      return [name, others.length === 0 ? first : { [combine]: [first, ...others] }];
    }),
  );
}
