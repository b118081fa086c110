/** A wrong argument: its place, what belongs there, and what was there instead. */
export function refuse(place: string, wanted: string, found: string): TypeError {
  return new TypeError(`\`${place}\` must be ${wanted}, not ${found}.`);
}

/** A getter or a proxy of the program's threw while it was read. */
export function unreadable(place: string, cause: unknown): TypeError {
  return new TypeError(`\`${place}\` cannot be read: something in it threw.`, { cause });
}

/** The value where it is short and no secret, else its kind. Never throws. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}

/** What a value is, without what it holds. Never throws. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = classNameOf(value);
  if (name === 'Array') return 'a list';
  return name === undefined || name === 'Object' ? 'an object' : `an object of the class ${name}`;
}

function classNameOf(value: object): string | undefined {
  try {
    if (Array.isArray(value)) return 'Array';
    const name: unknown = value.constructor.name;
    return typeof name === 'string' && name !== '' ? name.slice(0, 40) : undefined;
  } catch {
    return undefined; // no constructor, or one that must not be looked at
  }
}

/** `place.key`, or `place["an odd key"]`. */
export function inside(place: string, key: string | number): string {
  if (typeof key === 'number') return `${place}[${key}]`;
  if (!/^[\w$-]{1,60}$/.test(key)) return `${place}[${shown(key)}]`;
  return place === '' ? key : `${place}.${key}`;
}
