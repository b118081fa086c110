import { isRecord } from '@hexagent/checks';
import { Refusal } from './refusal.ts';

/**
 * The members of a JSON object, of which no other may be there: what a caller cannot set must not be taken silently for
 * something it set.
 * @throws {Refusal} naming the member that is not accepted.
 */
export function readFields<Name extends string>(
  value: unknown,
  names: readonly Name[],
  what: string,
): Readonly<Partial<Record<Name, unknown>>> {
  if (!isRecord(value)) throw new Refusal('BAD_REQUEST', `${what} must be an object.`);
  const other = Object.keys(value).find((key) => !names.some((name) => name === key));
  if (other !== undefined) throw new Refusal('FIELD_NOT_ACCEPTED', `${what} must not have \`${other.slice(0, 40)}\`.`);
  // Copied into an object without a prototype, so that a member that is not there is not found further up.
  return Object.assign(Object.create(null), value);
}

/** @throws {Refusal} for what is not a text. */
export function optionalText(value: unknown, name: string): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  throw new Refusal('BAD_REQUEST', `\`${name}\` must be a text.`);
}

/** @throws {Refusal} for what is not `true` or `false`. */
export function optionalFlag(value: unknown, name: string): boolean | undefined {
  if (value === undefined || typeof value === 'boolean') return value;
  throw new Refusal('BAD_REQUEST', `\`${name}\` must be true or false.`);
}

/** @throws {Refusal} for a value that callers may not ask for. */
export function optionalOneOf<Value extends string>(
  value: unknown,
  allowed: readonly Value[],
  name: string,
): Value | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((each) => each === value);
  if (found === undefined)
    throw new Refusal('NOT_ALLOWED', `This server does not let callers choose that \`${name}\`.`);
  return found;
}
