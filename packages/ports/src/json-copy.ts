import { errorText } from './error-text.ts';

/** A copy that holds nothing but what JSON carries. */
export interface JsonCopy {
  readonly copy?: unknown;
  /** Why there is none: what JSON cannot carry, and where it is. */
  readonly lost?: string | undefined;
}

export interface JsonCopyOptions {
  /** What the value is called where the text names a place in it. */
  readonly name: string;
  /**
   * Also refuses what `JSON.stringify` changes: dates, NaN, holes in lists, members that are hidden or inherited. For
   * values whose change would be lost without a sign. A member that is `undefined` is left out either way.
   */
  readonly exact?: boolean;
}

/**
 * Copies a value as JSON carries it. Without `exact` it is what `JSON.stringify` would write, except that what that
 * would empty or leave out without an error (a Map, a function, a promise) is refused. Each member is read once, so
 * that what was checked is what is sent. Never throws.
 */
export function jsonCopy(value: unknown, options: JsonCopyOptions): JsonCopy {
  const copier = new JsonCopier(options);
  try {
    return { copy: copier.copyOf(value) };
  } catch (error) {
    if (error instanceof Loss) return { lost: error.message };
    return { lost: `${copier.place()} cannot be read: ${errorText(error)}` };
  }
}

/** Its message says what cannot be carried, and where it is. */
class Loss extends Error {}

/** Stands for the copy of what is still being copied. */
const begun = Symbol('begun');
/** Deeper than this, the recursion of readers and writers of JSON may run out of stack. */
const deepest = 1000;
const carried = 'plain objects, lists, texts and numbers';
/** What `JSON.stringify` writes as `{}`, or without its content. */
const emptied = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Promise',
  'RegExp',
  'Error',
  'ArrayBuffer',
  'SharedArrayBuffer',
]);

class JsonCopier {
  readonly #name: string;
  readonly #isExact: boolean;
  readonly #path: (string | number)[] = [];
  /** What is shared is copied once: a small graph can have an astronomic number of paths. */
  readonly #copies = new Map<object, unknown>();
  #depth = 0;

  constructor({ name, exact = false }: JsonCopyOptions) {
    this.#name = name;
    this.#isExact = exact;
  }

  /** Where the copier is now, for a text. */
  place(): string {
    const shown = this.#path.slice(0, 20).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
    const path = `${this.#name}${shown.join('')}${shown.length < this.#path.length ? '…' : ''}`;
    return `\`${path.startsWith('.') ? path.slice(1) : path}\``;
  }

  copyOf(value: unknown): unknown {
    switch (typeof value) {
      case 'object':
        return value === null ? null : this.#copyOfObject(value);
      case 'number':
        if (Number.isFinite(value)) return value;
        if (this.#isExact) throw this.#loss(`is ${value}`);
        return null;
      case 'bigint':
        throw this.#loss('is a BigInt', 'a number or a string');
      case 'function':
      case 'symbol':
        throw this.#loss(`is a ${typeof value}`);
      default:
        return value;
    }
  }

  #copyOfObject(value: object): unknown {
    const known = this.#copies.get(value);
    if (known === begun) throw this.#loss('refers back to what contains it');
    if (this.#depth > deepest) throw this.#loss('is nested too deeply');
    if (known !== undefined) return known;
    this.#copies.set(value, begun);
    this.#depth += 1;
    const copy = this.#copyOfWritten(this.#written(value));
    this.#depth -= 1;
    this.#copies.set(value, copy);
    return copy;
  }

  /** What stands for the object: itself, or what its `toJSON` makes of it. */
  #written(value: object): unknown {
    const toJson: unknown = Reflect.get(value, 'toJSON');
    if (typeof toJson !== 'function') return value;
    if (this.#isExact) throw this.#loss(`is ${kindOf(value)} with a \`toJSON\``);
    return Reflect.apply(toJson, value, [String(this.#path.at(-1) ?? '')]);
  }

  #copyOfWritten(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return this.copyOf(value);
    if (Array.isArray(value)) return this.#copyOfList(value);
    return isPlain(value) ? this.#copyOfMembers(value) : this.#copyOfInstance(value);
  }

  #copyOfInstance(value: object): unknown {
    const tag = tagOf(value);
    if (emptied.has(tag) || (this.#isExact && tag !== 'Object')) throw this.#loss(`is ${kindOf(value)}`);
    // Bytes are written by index: copying them would cost much and change nothing.
    if (ArrayBuffer.isView(value)) return value;
    if (tag === 'String' || tag === 'Number' || tag === 'Boolean') return this.copyOf(value.valueOf());
    const inherited = this.#isExact ? inheritedMember(value) : undefined;
    if (inherited !== undefined) throw this.#loss(`is ${kindOf(value)} with the inherited member ${inherited}`);
    if (Object.keys(value).length === 0) throw this.#loss(`is ${kindOf(value)} without members of its own`);
    return this.#copyOfMembers(value);
  }

  #copyOfList(list: readonly unknown[]): unknown {
    const { length } = list;
    // The length is a key of its own.
    if (this.#isExact && Reflect.ownKeys(list).length !== length + 1) throw this.#loss('is a list with holes or names');
    const copy: unknown[] = [];
    for (let index = 0; index < length; index += 1) {
      this.#path.push(index);
      const item = this.copyOf(list[index]);
      if (item === undefined && this.#isExact) throw this.#loss('is undefined');
      this.#path.pop();
      copy.push(item ?? null);
    }
    return copy;
  }

  #copyOfMembers(value: object): unknown {
    const copy: Record<string, unknown> = {};
    const keys = Object.keys(value);
    if (this.#isExact) this.#refuseOtherKeys(value, keys);
    for (const key of keys) {
      // The path stays as it is when the copy fails, so that the place can be named.
      this.#path.push(key);
      const member = this.copyOf(Reflect.get(value, key));
      this.#path.pop();
      if (member === undefined) continue;
      // Assigning would call the setter of the one name that has one, and lose the member.
      if (key === '__proto__')
        Object.defineProperty(copy, key, { value: member, enumerable: true, writable: true, configurable: true });
      else copy[key] = member;
    }
    return copy;
  }

  #refuseOtherKeys(value: object, enumerable: readonly string[]): void {
    const all = Reflect.ownKeys(value);
    if (all.length === enumerable.length) return;
    for (const key of all) {
      if (typeof key === 'symbol') throw this.#loss('has a member that is named by a symbol');
      if (!enumerable.includes(key)) throw this.#loss(`has the hidden member ${key}`);
    }
  }

  #loss(what: string, remedy: string = carried): Loss {
    return new Loss(`${this.place()} ${what}, which JSON cannot carry; pass ${remedy}.`);
  }
}

/** Another realm has an `Object.prototype` of its own, which inherits from nothing either. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return true;
  return (
    typeof prototype === 'object' &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, 'isPrototypeOf')
  );
}

/** A member that can be read of an instance and is none of its own: a getter of its class, a value of its prototype. */
function inheritedMember(value: object): string | undefined {
  for (
    let prototype: object | null = Reflect.getPrototypeOf(value);
    prototype !== null && prototype !== Object.prototype;
    prototype = Reflect.getPrototypeOf(prototype)
  ) {
    for (const [name, { value: member }] of Object.entries(Object.getOwnPropertyDescriptors(prototype)))
      if (typeof member !== 'function') return name;
  }
  return undefined;
}

function kindOf(value: object): string {
  if (Array.isArray(value)) return 'a list';
  if (isPlain(value)) return 'an object';
  const tag = tagOf(value);
  if (tag !== 'Object') return `${/^[AEIOU]/u.test(tag) ? 'an' : 'a'} ${tag}`;
  const name: unknown = Reflect.get(Object(Reflect.get(value, 'constructor')), 'name');
  return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`;
}

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);
