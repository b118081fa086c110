/** Half of a surrogate pair. In a path, an address or a hash every one of them becomes the same replacement character. */
const halfPair = /\p{Surrogate}/u;

/** Whether a value can name a tenant, a session or a file: a text that is not empty and keeps its difference from others as UTF-8. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && !halfPair.test(value);
}
