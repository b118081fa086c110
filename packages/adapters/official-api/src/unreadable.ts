/** More than any option can hold: a loop over such a list would not end. */
const longestList = 1_000_000;
/** What is deeper is read when it is used. */
const deepest = 10;

/**
 * Refuses options in which something throws when it is read, and lists without an end, before any of them is read in
 * earnest: what is thrown then names no option.
 * @throws {TypeError} naming the option.
 */
export function refuseUnreadable(options: object): void {
  for (const name of namesOf(options)) {
    let isEndless = false;
    try {
      // An object of whatever kind may be read by its names.
      isEndless = hasEndlessList((options as Readonly<Record<string, unknown>>)[name], new Set());
    } catch (cause) {
      throw new TypeError(`\`${name}\` cannot be read: something in it threw.`, { cause });
    }
    if (isEndless) throw new TypeError(`\`${name}\` must not hold a list of more than ${longestList} items.`);
  }
}

function namesOf(options: object): readonly string[] {
  try {
    return Object.keys(options);
  } catch (cause) {
    throw new TypeError('`options` cannot be read: something in it threw.', { cause });
  }
}

/** Reads everything in plain objects and lists; of an object with a class only the class. */
function hasEndlessList(value: unknown, parents: ReadonlySet<object>): boolean {
  if (typeof value !== 'object' || value === null || parents.has(value) || parents.size === deepest) return false;
  const within = new Set([...parents, value]);
  if (Array.isArray(value)) {
    return value.length > longestList || value.some((item) => hasEndlessList(item, within));
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || Object.getPrototypeOf(prototype) === null;
  return isPlain && Object.values(value).some((member) => hasEndlessList(member, within));
}
