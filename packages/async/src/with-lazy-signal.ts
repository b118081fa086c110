type Source = { readonly signal: AbortSignal };

/** Where an object keeps the source of its signal. A property, and not a `WeakMap`, so that the getter works behind a proxy too. */
const source = Symbol('source of the signal');

const property: PropertyDescriptor & ThisType<{ readonly [source]: Source }> = {
  get() {
    return this[source].signal;
  },
  enumerable: true,
  configurable: true,
};

/**
 * Adds a property `signal` to the object that is read from the source when it is read. It is an own, enumerable property,
 * so that a copy of the object includes it. One getter serves all objects: a getter of each object's own would take
 * twice as long to create.
 */
export function withLazySignal<T extends object>(target: T, from: Source): T & Source {
  Object.defineProperty(target, source, { value: from });
  Object.defineProperty(target, 'signal', property);
  return target as T & Source; // the property is there now
}
