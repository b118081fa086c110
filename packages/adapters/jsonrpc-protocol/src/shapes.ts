export const isEmpty = (record: Readonly<Record<string, unknown>>): boolean => Object.keys(record).length === 0;

/** The words for a value that should have been something else. Never throws: it may be a proxy. */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  try {
    if (Array.isArray(value)) return 'a list';
    if (typeof value !== 'object') return typeof value;
    return `an object with the keys ${Object.keys(value).slice(0, 8).join(', ') || '(none)'}`;
  } catch {
    return 'an object that cannot be read';
  }
}
