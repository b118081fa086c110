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
   * Also throws for values that `JSON.stringify` changes: dates, NaN, holes in lists, members that are hidden or inherited. For
   * values whose change would be lost without a sign. A member that is `undefined` is left out either way.
   */
  readonly exact?: boolean;
  /** With `exact`: takes what a `toJSON` makes, as dates and URLs have one. */
  readonly allowToJson?: boolean;
  /** With `exact`: also refuses instances of classes, and getters. For what a program passes to decide about a call. */
  readonly plain?: boolean;
}

/**
 * Copies a value as JSON carries it. Without `exact` it is what `JSON.stringify` would write, except that what that
 * would empty or leave out without an error (a Map, a function, a promise) is refused. Each member is read once, so
 * that what was checked is what is sent. Never throws.
 */
export function jsonCopy(value: unknown, options: JsonCopyOptions): JsonCopy {
  if (value === undefined || value === null || typeof value === 'string') return { copy: value };
  const copier = new JsonCopier(options);
  try {
    return { copy: copier.copyOf(value, '') };
  } catch (error) {
    const place = formatPlace(options.name, copier.path);
    if (error instanceof Loss) return { lost: `${place} ${error.message}` };
    return { lost: `${place} cannot be read: ${errorText(error)}` };
  }
}

type Step = string | number;
type ToJson = (key: string) => unknown;

/** Its message names what cannot be carried; the place comes before it. */
class Loss extends Error {
  constructor(what: string, remedy = 'plain objects, lists, texts and numbers') {
    super(`${what}, which JSON cannot carry; pass ${remedy}.`);
  }
}

/** Stands for the copy of what is still being copied. */
const begun = Symbol('begun');
/** Deeper than this, the recursion of readers and writers of JSON may run out of stack. */
const deepest = 1000;
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
  readonly #isExact: boolean;
  readonly #allowsToJson: boolean;
  readonly #isPlain: boolean;
  /** The steps to what could not be copied, the last one first. They are collected while the error passes. */
  readonly path: Step[] = [];
  /** What is shared is copied once: a small graph can have an astronomic number of paths. */
  readonly #copies = new Map<object, unknown>();
  #depth = 0;

  constructor({ exact = false, allowToJson = !exact, plain = false }: JsonCopyOptions) {
    this.#isExact = exact;
    this.#allowsToJson = allowToJson;
    this.#isPlain = plain;
  }

  /** `step` is what leads to the value: the key of a member, the index of an item. */
  copyOf(value: unknown, step: Step): unknown {
    switch (typeof value) {
      case 'object':
        return value === null ? null : this.#copyOfObject(value, step);
      case 'number':
        if (Number.isFinite(value)) return value;
        if (this.#isExact) throw new Loss(`is ${value}`);
        return null;
      case 'bigint':
        throw new Loss('is a BigInt', 'a number or a string');
      case 'function':
      case 'symbol':
        throw new Loss(`is a ${typeof value}`);
      default:
        return value;
    }
  }

  #copyOfObject(value: object, step: Step): unknown {
    const earlier = this.#copies.get(value);
    if (earlier === begun) throw new Loss('refers back to what contains it');
    if (this.#depth > deepest) throw new Loss('is nested too deeply');
    if (earlier !== undefined) return earlier;
    this.#copies.set(value, begun);
    this.#depth += 1;
    const { toJSON: toJson } = value as { readonly toJSON?: ToJson }; // any object may have one
    const content = typeof toJson === 'function' ? this.#written(value, toJson, step) : value;
    const copy =
      typeof content !== 'object' || content === null
        ? this.copyOf(content, step)
        : Array.isArray(content)
          ? this.#copyOfList(content)
          : isPlainObject(content)
            ? this.#copyOfMembers(content)
            : this.#copyOfInstance(content, step);
    this.#depth -= 1;
    this.#copies.set(value, copy);
    return copy;
  }

  /** What its `toJSON` makes of the object. */
  #written(value: object, toJson: ToJson, step: Step): unknown {
    if (!this.#allowsToJson) throw new Loss(`is ${kindOfObject(value)} with a \`toJSON\``);
    const written = Reflect.apply(toJson, value, [String(step)]);
    if (written === undefined && this.#isExact)
      throw new Loss(`is ${kindOfObject(value)} whose \`toJSON\` returns nothing`);
    return written;
  }

  #copyOfInstance(value: object, step: Step): unknown {
    const tag = tagOf(value);
    if (tag === 'Promise') throw new Loss('is a promise', 'its value: await it');
    if (this.#isPlain) throw new Loss(`is ${kindOfObject(value)}`);
    if (emptied.has(tag) || (this.#isExact && tag !== 'Object')) throw new Loss(`is ${kindOfObject(value)}`);
    // Bytes are written by index, and a copy is written the same.
    if (ArrayBuffer.isView(value)) return value;
    if (tag === 'String' || tag === 'Number' || tag === 'Boolean') return this.copyOf(value.valueOf(), step);
    const inherited = this.#isExact ? inheritedMember(value) : undefined;
    if (inherited !== undefined) throw new Loss(`is ${kindOfObject(value)} with the inherited member ${inherited}`);
    if (Object.keys(value).length === 0) throw new Loss(`is ${kindOfObject(value)} without members of its own`);
    return this.#copyOfMembers(value);
  }

  #copyOfList(list: readonly unknown[]): unknown {
    const { length } = list;
    // The length is a key of its own.
    if (this.#isExact && Reflect.ownKeys(list).length !== length + 1) throw new Loss('is a list with holes or names');
    const copy: unknown[] = [];
    try {
      while (copy.length < length) {
        const item = this.copyOf(this.#read(list, copy.length), copy.length);
        if (item === undefined && this.#isExact) throw new Loss('is undefined');
        copy.push(item ?? null);
      }
    } catch (error) {
      this.path.push(copy.length);
      throw error;
    }
    return copy;
  }

  #copyOfMembers(members: object): unknown {
    const copy: Record<string, unknown> = {};
    const keys = Object.keys(members);
    if (this.#isExact) refuseOtherKeys(members, keys);
    let at = '';
    try {
      for (const key of keys) {
        at = key;
        const member = this.copyOf(this.#read(members, key), key);
        if (member === undefined) continue;
        // Assigning would call the setter of the one name that has one, and lose the member.
        if (key === '__proto__')
          Object.defineProperty(copy, key, { value: member, enumerable: true, writable: true, configurable: true });
        else copy[key] = member;
      }
    } catch (error) {
      this.path.push(at);
      throw error;
    }
    return copy;
  }

  /** A member or an item, of plain values without calling code of the program. */
  #read(from: object, key: Step): unknown {
    if (!this.#isPlain) return Reflect.get(from, key);
    const { get, set, value } = Reflect.getOwnPropertyDescriptor(from, key) ?? {};
    if (get !== undefined || set !== undefined) throw new Loss('is a getter', 'its value');
    return value;
  }
}

function refuseOtherKeys(value: object, enumerable: readonly string[]): void {
  const keys = Reflect.ownKeys(value);
  if (keys.length === enumerable.length) return;
  for (const key of keys) {
    if (typeof key === 'symbol') throw new Loss('has a member that is named by a symbol');
    if (!enumerable.includes(key)) throw new Loss(`has the hidden member ${key}`);
  }
}

/** The place in a text; the path has its last step first. */
function formatPlace(name: string, path: readonly Step[]): string {
  const shown = path
    .slice(-20)
    .toReversed()
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  const place = `${name}${shown.join('')}${shown.length < path.length ? '…' : ''}`;
  return `\`${place.startsWith('.') ? place.slice(1) : place}\``;
}

/** Whether a value is an object that no class has made. Another realm has its own `Object.prototype`, which inherits from nothing either. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
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

function kindOfObject(value: object): string {
  if (Array.isArray(value)) return 'a list';
  if (isPlainObject(value)) return 'an object';
  const tag = tagOf(value);
  if (tag !== 'Object') return `${/^[AEIOU]/u.test(tag) ? 'an' : 'a'} ${tag}`;
  const name: unknown = Reflect.get(Object(Reflect.get(value, 'constructor')), 'name');
  return `an instance of ${typeof name === 'string' && name !== '' ? name : 'a class'}`;
}

const tagOf = (value: object): string => Object.prototype.toString.call(value).slice(8, -1);
