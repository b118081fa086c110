/** Returns its argument, so that a class that extends it adds its private fields to an object that exists already. */
// oxlint-disable-next-line no-extraneous-class -- Only a class can be extended.
class Given {
  constructor(target: object) {
    return target;
  }
}

type Source = { readonly signal: AbortSignal };

/** Private fields, which neither a copy nor a reader of the object sees. */
class SignalOf extends Given {
  readonly #source: Source;
  static readonly property: PropertyDescriptor & ThisType<SignalOf> = {
    get() {
      return this.#source.signal;
    },
    enumerable: true,
    configurable: true,
  };

  constructor(target: object, source: Source) {
    super(target);
    this.#source = source;
  }
}

/**
 * Adds a property `signal` to the object that is read from the source when it is read. It is an own, enumerable property,
 * so that a copy of the object includes it. One getter serves all objects: a getter of each object's own would take ten
 * times as long to create.
 */
export function withLazySignal<T extends object>(target: T, source: Source): T & Source {
  // oxlint-disable-next-line no-new -- Its constructor changes the target.
  new SignalOf(target, source);
  Object.defineProperty(target, 'signal', SignalOf.property);
  return target as T & Source; // the property is there now
}
