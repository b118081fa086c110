import { isRecord } from '@hexagent/checks';

/*
 * Messages are delivered also when they do not have the form of their type, so every field is checked before it is used.
 */

export type Fields = Readonly<Record<string, unknown>>;

const none: Fields = {};

export function recordOf(value: unknown): Fields {
  return isRecord(value) ? value : none;
}

/** The objects in a list; a value that is not a list has none. */
export function recordsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The texts in a list; a value that is not a list has none. */
export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

/** A text that is not empty. */
export function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === 'string' && value !== '' ? value : other;
}

export function numberOr<Other>(value: unknown, other: Other): number | Other {
  return typeof value === 'number' && Number.isFinite(value) ? value : other;
}

/** An object without the fields that have no value: a page compares messages, and JSON has no `undefined`. */
export function defined<Value extends object>(value: Value): { [Key in keyof Value]: Exclude<Value[Key], undefined> } {
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  // The filter removed every `undefined`, as the type states.
  return Object.fromEntries(entries) as { [Key in keyof Value]: Exclude<Value[Key], undefined> };
}

/** The text of a message, of a result or of a block: its own, or that of its text blocks. */
export function plainText(content: unknown): string {
  if (typeof content === 'string') return content;
  return recordsOf(content)
    .map(({ type, text }) => (type === 'text' && typeof text === 'string' ? text : ''))
    .filter((text) => text !== '')
    .join('\n');
}
