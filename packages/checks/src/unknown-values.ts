/** An object with members, as opposed to a list or a plain value. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What a value is, without what it holds: it may be a secret. Never throws, since it may be a proxy. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  const name = classNameOf(value);
  if (name === 'Array') return 'a list';
  if (name === 'Promise') return 'a promise (await it)';
  return name === undefined || name === 'Object' ? 'an object' : `an object of the class ${name}`;
}

const shownKeys = 8;

/** What a value is, and of an object the names of its members, without what they hold. Never throws. */
export function kindAndKeys(value: unknown): string {
  if (!isRecord(value)) return kindOf(value);
  try {
    const keys = Object.keys(value);
    if (keys.length === 0) return 'an object without keys';
    return `an object with the keys ${keys.slice(0, shownKeys).join(', ')}${keys.length > shownKeys ? ', …' : ''}`;
  } catch {
    return 'an object that cannot be read';
  }
}

function classNameOf(value: object): string | undefined {
  try {
    if (Array.isArray(value)) return 'Array';
    const name: unknown = value.constructor.name;
    return typeof name === 'string' && name !== '' ? name.slice(0, 40) : undefined;
  } catch {
    return undefined; // no constructor, or one that must not be read
  }
}

/** The value where it is short, else its kind. For what is not a secret. Never throws. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : kindOf(value);
}
