import { errorText, jsonCopy, isRecord } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import type { $ZodType } from 'zod/v4/core';
import type { ZodType as ZodThreeType } from 'zod/v3';
import { zodOf, type Field } from './fields.ts';
import type { Fields } from './json-rpc.ts';
import { mapSchemas, withPrefixItems } from './map-schemas.ts';
import type { JsonSchema, StandardSchema } from './schema.ts';
import { withoutTopLevelAlternatives } from './top-level-alternatives.ts';

/** A JSON Schema, or a function that loads zod to make it. */
export type Listed = JsonSchema | (() => Promise<JsonSchema>);

/**
 * The default dialect of MCP, which the Messages API requires. A type that JSON Schema lacks, such as a date, becomes an
 * open schema; the tool still checks it.
 */
const dialect = { target: 'draft-2020-12', unrepresentable: 'any' } as const;
/** What zod calls `unrepresentable` is the `errorMode` of valibot; arktype leaves such a type open by itself. */
const libraryOptions = { unrepresentable: 'any', errorMode: 'ignore' } as const;

/** The JSON Schema of what the model must send. `place` names the schema in error messages. */
export function objectSchemaOf(schema: StandardSchema, place: string): Listed {
  return then(partOf(schema, place), (json) => asObject(json, place));
}

/** The same for an object that is given field by field. */
export function shapeSchemaOf(fields: readonly Field[], place: string): Listed {
  const parts = fields.map(({ key, schema }) => [key, partOf(schema, `${place}.${key}`)] as const);
  const required = fields.filter(({ listedAsOptional }) => !listedAsOptional).map(({ key }) => key);
  const whole = (properties: readonly (readonly [string, Fields])[]): JsonSchema => ({
    type: 'object',
    properties: Object.fromEntries(properties.map(([key, json]) => [key, rebase(json, `#/properties/${escape(key)}`)])),
    ...(required.length > 0 ? { required } : {}),
    // As the objects of zod 3 are written, this one like those inside of it.
    ...(fields.some(({ schema }) => isZod3(schema) && !isZod4(schema)) ? { additionalProperties: false } : {}),
  });
  const ready = parts.flatMap(([key, part]) => (typeof part === 'function' ? [] : [[key, part] as const]));
  if (ready.length === parts.length) return whole(ready);
  return async () =>
    whole(
      await Promise.all(
        parts.map(async ([key, part]) => [key, typeof part === 'function' ? await part() : part] as const),
      ),
    );
}

/** A JSON Schema of any value, or a function that loads zod to make it. */
export type Part = Fields | (() => Promise<Fields>);

/** The JSON Schema of what the model must send, whatever it describes. */
export function partOf(schema: StandardSchema, place: string): Part {
  const { jsonSchema, vendor } = schema['~standard'];
  if (jsonSchema !== undefined) {
    return converted(() => jsonSchema.input({ target: dialect.target, libraryOptions }), place);
  }
  if (isZod4(schema)) return async () => await throughZod(schema, place);
  if (isZod3(schema)) return async () => await throughConverter(schema, place);
  throw new TypeError(
    `${place} is a schema of ${vendor} that has no JSON Schema (\`~standard.jsonSchema\`); ${remedyOf(vendor)}`,
  );
}

function remedyOf(vendor: string): string {
  return vendor === 'valibot'
    ? 'pass toStandardJsonSchema(schema) of @valibot/to-json-schema.'
    : 'pass a JSON Schema instead.';
}

/** Only for zod/mini and zod before 4.2, whose schemas cannot convert themselves. */
async function throughZod(schema: $ZodType, place: string): Promise<Fields> {
  const { toJSONSchema } = await loadZod(place);
  return converted(() => ({ ...toJSONSchema(schema, { ...dialect, io: 'input' }) }), place);
}

// Inside `try`: only there does webpack accept a package that is not installed.
async function loadZod(place: string) {
  try {
    return await import('zod/v4/core');
  } catch (cause) {
    throw new Error(`${place} needs zod to become a JSON Schema, and zod could not be loaded: ${errorText(cause)}`, {
      cause,
    });
  }
}

async function loadConverter(place: string) {
  try {
    const { zodToJsonSchema } = await import('zod-to-json-schema');
    return zodToJsonSchema;
  } catch (cause) {
    throw new SdkError(
      'SCHEMA_NOT_CONVERTIBLE',
      `${place} is a schema of zod 3, which needs zod-to-json-schema to become a JSON Schema, and that could not be loaded (${errorText(cause)}). Import zod as \`zod/v4\`, which zod 3.25 has, install zod-to-json-schema, or pass a JSON Schema.`,
      { cause },
    );
  }
}

/** Zod 3 cannot convert its schemas itself. */
async function throughConverter(schema: ZodThreeType, place: string): Promise<Fields> {
  const zodToJsonSchema = await loadConverter(place);
  const { description } = schema._def;
  const json = converted(() => ({ ...zodToJsonSchema(requiredOf(schema), { pipeStrategy: 'input' }) }), place);
  return { ...mapSchemas(json, withPrefixItems), ...(description === undefined ? {} : { description }) };
}

/** The converter writes an optional value as "undefined, or this one"; the list of required fields replaces that. */
function requiredOf(schema: ZodThreeType): ZodThreeType {
  const { typeName, innerType }: Fields = { ...schema._def };
  return typeName === 'ZodOptional' && isZod3Type(innerType) ? requiredOf(innerType) : schema;
}

/** A JSON Schema as the program gave it, which must survive as JSON. */
export function plainSchemaOf(schema: Fields, place: string): Fields {
  const { copy, lost } = jsonCopy(schema, { name: 'schema' });
  if (lost === undefined && isRecord(copy)) return copy;
  throw new TypeError(`${place} cannot be written as JSON: ${lost ?? 'it is no object.'}`);
}

function converted(convert: () => Fields, place: string): Fields {
  try {
    const written: unknown = convert();
    // A promise cannot be listed, and its rejection would be unhandled.
    if (written instanceof Promise) written.catch(() => {});
    const { copy, lost } = jsonCopy(written, { name: 'schema' });
    if (!isRecord(copy)) throw new TypeError(lost ?? 'it is no object.');
    const { $schema: _, ...json } = copy;
    return json;
  } catch (cause) {
    throw new TypeError(`${place} cannot be written as a JSON Schema: ${errorText(cause)}`, { cause });
  }
}

function asObject(json: Fields, place: string): JsonSchema {
  const { type = 'object', ...rest } = json;
  if (type !== 'object') throw new TypeError(`${place} describes a ${String(type)}; a tool's arguments are an object.`);
  return withoutTopLevelAlternatives({ type, ...rest });
}

/** Changes the references inside a schema to its place in the schema that contains it. */
export function rebase(json: Fields, root: string): Fields {
  return mapSchemas(json, ({ $ref, ...schema }) => ({
    ...schema,
    ...($ref === undefined
      ? {}
      : { $ref: typeof $ref === 'string' && $ref.startsWith('#') ? root + $ref.slice(1) : $ref }),
  }));
}

const escape = (key: string): string => encodeURI(key.replaceAll('~', '~0').replaceAll('/', '~1'));

const then = (part: Part, finish: (json: Fields) => JsonSchema): Listed =>
  typeof part === 'function' ? async () => finish(await part()) : finish(part);

// Not exported: a type of zod in the published declarations would require zod from every user.
const isZod4 = (schema: StandardSchema): schema is StandardSchema & $ZodType => zodOf(schema) !== undefined;
const isZod3 = (schema: StandardSchema): schema is StandardSchema & ZodThreeType =>
  schema['~standard'].vendor === 'zod' && isZod3Type(schema);
const isZod3Type = (value: unknown): value is ZodThreeType => isRecord(value) && isRecord(value['_def']);
