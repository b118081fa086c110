import strict from 'node:assert/strict';

/**
 * As `node:assert/strict`, except that objects of another realm equal those of this one. Jest runs a test in a realm of its own, and what
 * `structuredClone()` or Node itself makes comes from another.
 */
export const assert: typeof strict = Object.assign((...given: Parameters<typeof strict>) => strict(...given), strict, {
  // As many arguments as were given: a message of `undefined` is an error of its own.
  deepEqual: (actual: unknown, expected: unknown, ...message: readonly (string | Error)[]) =>
    strict.deepEqual(ofThisRealm(actual), ofThisRealm(expected), ...message),
});

/** The same value, whose plain objects and lists are of this realm. */
function ofThisRealm(value: unknown, seen: ReadonlySet<unknown> = new Set()): unknown {
  if (typeof value !== 'object' || value === null || seen.has(value)) return value;
  const within = new Set([...seen, value]);
  if (Array.isArray(value)) return Array.from(value, (item) => ofThisRealm(item, within));
  if (!isPlain(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, ofThisRealm(member, within)]));
}

/** Whether its prototype is the `Object.prototype` of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return typeof prototype === 'object' && prototype !== null && Object.getPrototypeOf(prototype) === null;
}
