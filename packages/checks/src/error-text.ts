import { isRecord, kindAndKeys } from './unknown-values.ts';

const shownErrors = 5;

/**
 * The text of an error for a person or a model to read: the message of anything that has one, else the name of an
 * error, else what kind of value was thrown. Anything can be thrown, so this never throws itself and never returns an
 * empty text: a message that is missing, no string or a getter that throws, a revoked proxy, a symbol are all named.
 */
export function errorText(value: unknown): string {
  return textOf(value, 0);
}

function textOf(value: unknown, depth: number): string {
  if (typeof value === 'string') return value === '' ? 'an empty text' : value;
  if (typeof value === 'function') return 'a function';
  // `String` and not a template: a symbol cannot be put into one.
  if (typeof value !== 'object' || value === null) return String(value);
  return read(value, 'message') ?? errorsText(value, depth) ?? read(value, 'name') ?? kindOfThrown(value);
}

/** An `AggregateError`, such as one of `node:net`, may have no message beside those of its errors. */
function errorsText(value: object, depth: number): string | undefined {
  try {
    const errors: unknown = Reflect.get(value, 'errors');
    if (!Array.isArray(errors) || errors.length === 0 || depth > 0) return undefined;
    const texts = errors.slice(0, shownErrors).map((error) => textOf(error, depth + 1));
    return [...texts, ...(errors.length > shownErrors ? [`and ${errors.length - shownErrors} more`] : [])].join('; ');
  } catch {
    return undefined; // a getter or a proxy that throws
  }
}

/** A member that is a text, and not an empty one. */
function read(value: object, member: 'message' | 'name'): string | undefined {
  try {
    const text: unknown = Reflect.get(value, member);
    return typeof text === 'string' && text !== '' ? text : undefined;
  } catch {
    return undefined; // a getter or a proxy that throws
  }
}

function kindOfThrown(value: object): string {
  try {
    if (value instanceof Error && Object.keys(value).length === 0) return 'an error without a message';
    return kindAndKeys(value);
  } catch {
    return 'an object that cannot be read';
  }
}

/** Whether an error of the system has one of these codes. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isRecord(error) && codes.includes(String(error['code']));
