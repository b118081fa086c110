import { isRecord } from '@hexagent/checks';
import { compilePlain, mapValues, rebase, withPrefixItems } from '@hexagent/mcp-sdk-server';

type Fields = Readonly<Record<string, unknown>>;

/** A schema as the agent gets it. */
export interface AgentSchema {
  readonly json: Fields;
  /** Whether the model sends the value as the field `value` of an object. */
  readonly isWrapped: boolean;
}

export interface GivenSchema {
  readonly json: Fields;
  /** In messages about it. */
  readonly place: string;
  /** Whether the program gave it as a JSON Schema, which no library checks. */
  readonly isPlain: boolean;
}

/**
 * Makes a JSON Schema fit for the CLI, which takes draft 07 and ignores a schema with a keyword that it does not know, and for the
 * Messages API, which takes 2020-12, and at the top an object with simple names. What either refuses is left out, since the original
 * schema checks the value as well.
 * @throws {TypeError} naming the place of what can neither be sent nor checked.
 */
export function toAgentSchema({ json: original, place, isPlain }: GivenSchema): AgentSchema {
  const refuse: Refuse = (at, why) => new TypeError(`${place} cannot be used: \`${at}\` ${why}`);
  const json = fitSchema(original, '#', { isPlain, refuse });
  if (isPlain && Object.keys(original).length > 0 && Object.keys(json).length === 0)
    throw refuse('#', 'has no keyword that describes a value. Pass {} for any value.');
  compilePlain(json, place); // throws for a type that does not exist and for a reference without a target
  if (isSimpleObject(json)) return { json, isWrapped: false };
  const value = rebase(json, '#/properties/value');
  return {
    json: { type: 'object', properties: { value }, required: ['value'], additionalProperties: false },
    isWrapped: true,
  };
}

/** What the Messages API takes as the input of a tool. */
function isSimpleObject({ type, properties = {}, $ref, anyOf, oneOf, allOf }: Fields): boolean {
  const isCombined = [$ref, anyOf, oneOf, allOf].some((keyword) => keyword !== undefined);
  return (
    type === 'object' && !isCombined && Object.keys(Object(properties)).every((name) => /^[\w.-]{1,64}$/.test(name))
  );
}

type Refuse = (at: string, why: string) => TypeError;

interface Context {
  readonly isPlain: boolean;
  readonly refuse: Refuse;
}

function fitSchema(schema: Fields, at: string, context: Context): Fields {
  const fields = withoutTuple(withPrefixItems(schema));
  return Object.fromEntries(
    Object.entries(fields).flatMap(([key, value]) => {
      const fitted = fitKeyword([key, value], `${at}/${key}`, { ...context, beside: fields });
      return fitted === undefined ? [] : [[key, fitted]];
    }),
  );
}

/** The value of a keyword as it is sent; `undefined` leaves the keyword out. */
function fitKeyword(
  [key, value]: readonly [string, unknown],
  at: string,
  { beside, ...context }: Context & { readonly beside: Fields },
): unknown {
  const within = (schema: unknown, key?: string | number): unknown =>
    isRecord(schema) ? fitSchema(schema, key === undefined ? at : `${at}/${key}`, context) : schema;
  switch (key) {
    case 'additionalProperties':
      return hasPatterns(beside) ? within(value) : undefined;
    case 'patternProperties':
      return hasPatterns(beside) && isRecord(value) ? mapValues(value, within) : undefined;
    case 'items':
    case 'propertyNames':
    case 'not':
      return within(value);
    case 'properties':
    case '$defs':
    case 'definitions':
      return isRecord(value) ? mapValues(value, within) : undefined;
    case 'allOf':
      return isEmpty(value) ? undefined : listOf(value).map(within);
    case 'anyOf':
    case 'oneOf':
      return choicesIn(value, at, context).map(within);
    case 'enum':
      return distinct(choicesIn(value, at, context));
    case 'contains':
      // Draft 07 has no counts beside it.
      return beside['minContains'] === undefined && beside['maxContains'] === undefined ? within(value) : undefined;
    case 'if':
      return beside['then'] === undefined && beside['else'] === undefined ? undefined : within(value);
    case 'then':
    case 'else':
      return beside['if'] === undefined ? undefined : within(value);
    default:
      refuseUnchecked([key, value], at, context);
      return simple.get(key)?.(value);
  }
}

function choicesIn(value: unknown, at: string, { refuse }: Context): readonly unknown[] {
  if (isEmpty(value)) throw refuse(at, 'is empty, so no value fits.');
  return listOf(value);
}

/** Neither the CLI nor the SDK checks these, and without them more values would be accepted. */
function refuseUnchecked([key, value]: readonly [string, unknown], at: string, { isPlain, refuse }: Context): void {
  const remedy = unchecked.get(key);
  if (isPlain && remedy !== undefined && value !== (key !== 'nullable')) throw refuse(at, remedy);
}

const unchecked: ReadonlyMap<string, string> = /* @__PURE__ */ new Map([
  ['$dynamicRef', 'is not checked by anyone. Use `$ref`.'],
  ['$recursiveRef', 'is not checked by anyone. Use `$ref`.'],
  ['unevaluatedItems', 'is not checked by anyone. Use `items`.'],
  ['unevaluatedProperties', 'is not checked by anyone. Use `additionalProperties`.'],
  ['nullable', 'is of OpenAPI. Use a list of types that contains "null".'],
]);

type Simple = (value: unknown) => unknown;

const whole = (value: unknown): unknown => value;
const text: Simple = (value) => (typeof value === 'string' ? value : undefined);
const number: Simple = (value) => (typeof value === 'number' ? value : undefined);
const count: Simple = (value) => (Number.isInteger(value) && Number(value) >= 0 ? value : undefined);

/** The keywords without a schema in them, each with what the CLI takes of its value. */
const simple: ReadonlyMap<string, Simple> = /* @__PURE__ */ new Map<string, Simple>([
  ['$ref', whole],
  ['const', whole],
  ['default', whole],
  ['title', text],
  ['description', text],
  ['format', text],
  ['type', (value) => (Array.isArray(value) ? (isEmpty(value) ? undefined : distinct(value)) : value)],
  ['required', distinct],
  ['minimum', number],
  ['maximum', number],
  ['exclusiveMinimum', number],
  ['exclusiveMaximum', number],
  ['multipleOf', (value) => (Number(value) > 0 ? value : undefined)],
  ['minLength', count],
  ['maxLength', count],
  ['minItems', count],
  ['maxItems', count],
  ['minProperties', count],
  ['maxProperties', count],
  ['uniqueItems', (value) => (typeof value === 'boolean' ? value : undefined)],
  ['pattern', (value) => (isPattern(value) ? value : undefined)],
]);

/** The dialects have no form of a tuple in common: the places of its items become a sentence. */
function withoutTuple({ prefixItems, ...schema }: Fields): Fields {
  if (!Array.isArray(prefixItems)) return schema;
  const { items: others, description, ...rest } = schema;
  const order = `Items in this order: ${JSON.stringify(prefixItems)}`;
  const isClosed = others === false;
  const choices = isClosed ? prefixItems : isRecord(others) ? [...prefixItems, others] : [];
  return {
    ...(isClosed ? { maxItems: prefixItems.length } : {}),
    ...rest,
    description: typeof description === 'string' ? `${description} ${order}` : order,
    ...(choices.length > 0 ? { items: { anyOf: choices } } : {}),
  };
}

/** Whether the CLI can read the patterns that decide which properties are additional. */
function hasPatterns({ patternProperties = {} }: Fields): boolean {
  return Object.keys(Object(patternProperties)).every(isPattern);
}

/** The CLI compiles patterns with the flag `u`. */
function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

function distinct(value: unknown): readonly unknown[] {
  return [...new Map(listOf(value).map((item) => [JSON.stringify(item), item])).values()];
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isEmpty = (value: unknown): boolean => listOf(value).length === 0;
