import { isRecord } from '@hexagent/checks';
import { isLegacyZod, isParsing, parseAsync, zodOf } from './fields.ts';
import type { StandardResult, StandardSchema } from './schema.ts';

export type Validate = (value: unknown) => StandardResult | PromiseLike<StandardResult>;

/**
 * What validates by a schema. Zod tries without waiting first, where it is asked by the Standard Schema: a check that has to
 * be waited for is then run twice, and the rejection of the first run is unhandled, which ends the program.
 */
export function validatorOf(schema: StandardSchema): Validate {
  const { '~standard': standard } = schema;
  const zod = zodOf(schema);
  if (!isParsing(schema) || (zod === undefined && !isLegacyZod(schema))) return (value) => standard.validate(value);
  let mayWait: boolean | undefined;
  return (value) => {
    // Determined by the first call, since a schema may contain one that is not made yet.
    mayWait ??= zod === undefined || mayWaitIn(zod);
    return mayWait ? parseAsync(schema, value) : standard.validate(value);
  };
}

/** Kinds of zod 4 that call no function of the program for a value, beside their checks and what they contain. */
const plainKinds =
  /^(?:string|number|int|boolean|bigint|symbol|null|undefined|void|any|unknown|never|nan|date|file|literal|enum|template_literal|object|array|tuple|record|map|set|union|intersection|optional|nullable|nonoptional|default|prefault|readonly|success)$/;
/** Where a schema of zod 4 has its checks and other schemas. No others are read: a default may be made by a function. */
const inner = [
  'checks',
  'shape',
  'catchall',
  'element',
  'items',
  'rest',
  'keyType',
  'valueType',
  'options',
  'left',
  'right',
  'innerType',
];

const isPlainKind = (type: unknown): boolean => typeof type === 'string' && plainKinds.test(type);

/** Whether a schema of zod 4 may contain a check or a transform that returns a promise. */
function mayWaitIn({ def }: { readonly def?: unknown }, seen: Set<unknown> = new Set()): boolean {
  if (seen.has(def)) return false;
  seen.add(def);
  if (!isRecord(def)) return true;
  const { type, check } = def;
  if (check === 'custom' || (type === undefined ? check === undefined : !isPlainKind(type))) return true;
  return inner.some((key) => mayWaitWithin(def[key], seen));
}

/** In one, a list of them, or the shape of an object. */
function mayWaitWithin(part: unknown, seen: Set<unknown>): boolean {
  if (typeof part !== 'object' || part === null) return false;
  const zod = zodOf(part);
  if (zod !== undefined) return mayWaitIn(zod, seen);
  return Object.values(part).some((one: unknown) => isRecord(one) && mayWaitIn(zodOf(one) ?? {}, seen));
}
