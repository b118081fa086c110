/** An object with fields, as opposed to a list or a plain value. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The words for a value that should have been something else. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object'
    ? `an object with the keys ${Object.keys(value).join(', ') || '(none)'}`
    : typeof value;
}
