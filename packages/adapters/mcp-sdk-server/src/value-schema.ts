import { errorText, isPlainObject } from '@hexagent/checks';
import { checkStandard, type Checked } from './check-arguments.ts';
import { isStandard } from './fields.ts';
import { partOf, plainSchemaOf, type Part } from './json-schema.ts';
import { compilePlain } from './plain-schema.ts';

/** A schema of any value, by any library: as a JSON Schema for the model, and as a check of what it sends. */
export interface ValueSchema {
  /** In the dialect 2020-12. A function where zod or a converter has to be loaded first. */
  readonly json: Part;
  /** Whether the program gave it as a JSON Schema, which no library checks. */
  readonly isPlain: boolean;
  /** By the library, which may change the value; a JSON Schema by `compilePlain`. */
  readonly check: (value: unknown) => Promise<Checked>;
}

/** @throws {TypeError} for anything but a schema, and for a schema that cannot be written as JSON, naming the place in it. */
export function valueSchemaOf(schema: unknown, place: string): ValueSchema {
  try {
    return isStandard(schema)
      ? { json: partOf(schema, place), isPlain: false, check: (value) => checkStandard(schema, value) }
      : plainValueSchema(schema, place);
  } catch (error) {
    if (error instanceof TypeError && error.message.startsWith(place)) throw error;
    throw new TypeError(`${place} could not be read: ${errorText(error)}`, { cause: error });
  }
}

function plainValueSchema(schema: unknown, place: string): ValueSchema {
  if (!isPlainObject(schema) || Object.values(schema).some(isStandard))
    throw new TypeError(
      `${place} must be a schema, such as z.object({ city: z.string() }), or a JSON Schema as a plain object.`,
    );
  const json = plainSchemaOf(schema, place);
  const problemsOf = compilePlain(json, place);
  return {
    json,
    isPlain: true,
    check: async (value) => {
      const problems = problemsOf(value, '');
      return problems.length > 0 ? { problems } : { value };
    },
  };
}
