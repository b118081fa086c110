import { isRecord } from '@hexagent/ports';
import type { Fields } from './json-rpc.ts';

/**
 * The problems of a value, by the keywords `type`, `enum` and `required` of its JSON Schema, also within `properties` and
 * `items`. Other keywords are listed for the model and not checked.
 */
export function problemsOf(value: unknown, schema: unknown, path = ''): readonly string[] {
  if (!isRecord(schema)) return [];
  const at = path === '' ? '' : `${path}: `;
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [`${at}expected ${types.join(' or ')}, received ${typeOf(value)}`];
  const { enum: choices, items, properties } = schema;
  if (Array.isArray(choices) && !choices.includes(value))
    return [`${at}expected one of ${choices.map(String).join(', ')}`];
  if (Array.isArray(value)) return value.flatMap((item, index) => problemsOf(item, items, joined(path, index)));
  if (!isRecord(value)) return [];
  return [...missing(value, schema, path), ...wrongFields(value, properties, path)];
}

function missing(value: Fields, { required }: Fields, path: string): readonly string[] {
  if (!Array.isArray(required)) return [];
  return required
    .filter((key) => !Object.hasOwn(value, String(key)))
    .map((key) => `${joined(path, String(key))}: required, and missing`);
}

function wrongFields(value: Fields, properties: unknown, path: string): readonly string[] {
  if (!isRecord(properties)) return [];
  return Object.entries(properties)
    .filter(([key]) => Object.hasOwn(value, key))
    .flatMap(([key, schema]) => problemsOf(value[key], schema, joined(path, key)));
}

function typesOf({ type }: Fields): readonly string[] {
  if (typeof type === 'string') return [type];
  return Array.isArray(type) ? type.map(String) : [];
}

function isOfType(value: unknown, type: string): boolean {
  return type === 'integer' ? Number.isInteger(value) : typeOf(value) === type;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

const joined = (path: string, key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
