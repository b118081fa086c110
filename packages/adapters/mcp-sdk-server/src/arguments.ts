import { isRecord } from '@hexagent/checks';
import { fieldsOf, isStandard, type Field } from './fields.ts';
import { objectSchemaOf, plainSchemaOf, shapeSchemaOf, type Listed } from './json-schema.ts';
import type { PlainCheck } from './plain-keywords.ts';
import { compilePlain } from './plain-schema.ts';
import type { JsonSchema, StandardSchema } from './schema.ts';
import { withoutTopLevelAlternatives } from './top-level-alternatives.ts';

/** A tool's schema, ready to be listed and to check arguments. */
export interface Arguments {
  readonly listed: Listed;
  readonly checkedBy:
    | { readonly standard: StandardSchema }
    | { readonly fields: readonly Field[] }
    | { readonly problemsOf: PlainCheck };
}

/**
 * @throws {TypeError} for what is not a schema of an object.
 */
export function argumentsOf(schema: unknown, place: string): Arguments {
  if (isStandard(schema)) return { listed: objectSchemaOf(schema, place), checkedBy: { standard: schema } };
  if (isPlain(schema)) {
    const plain: JsonSchema = { ...plainSchemaOf(schema, place), type: 'object' };
    return {
      listed: withoutTopLevelAlternatives(plain),
      checkedBy: { problemsOf: compilePlain(plain, place) },
    };
  }
  const fields = fieldsOf(schema);
  if (fields === undefined)
    throw new TypeError(
      `${place} must be a shape such as { city: z.string() }, a schema of an object, or a JSON Schema with \`type: 'object'\`.`,
    );
  return { listed: shapeSchemaOf(fields, place), checkedBy: { fields } };
}

const isPlain = (value: unknown): value is JsonSchema => isRecord(value) && value['type'] === 'object';
