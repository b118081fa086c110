/*
 * Types that look into a type, as lines of TypeScript: what a claim about all of a type is made of.
 */

/** `AnyIn<T>`: the path to each `any` in a type, but for those of the platform's own classes; `never` without one. */
export const anyIn: readonly string[] = [
  "import type { Readable, Writable } from 'node:stream';",
  'type Leaf = string | number | boolean | bigint | symbol | null | undefined;',
  'type Platform = AbortSignal | AbortController | Readable | Writable;',
  'type Less = [never, 0, 1, 2, 3, 4, 5];',
  // Depth bounds types that contain themselves; `next` and `throw` of a generator take any, as those of the platform do.
  'type AnyIn<T, Depth extends number = 5, Path extends string = ""> = 0 extends 1 & T ? `any at ${Path}` : Depth extends 0 ? never : T extends Leaf | Platform ? never : T extends (...given: infer Given) => infer Result ? AnyIn<Given, Less[Depth], `${Path}()`> | AnyIn<Result, Less[Depth], `${Path}=>`> : T extends readonly (infer Item)[] ? AnyIn<Item, Less[Depth], `${Path}[]`> : T extends object ? { [K in Exclude<keyof T, "next" | "throw">]-?: AnyIn<T[K], Less[Depth], `${Path}.${K & string}`> }[Exclude<keyof T, "next" | "throw">] : never;',
];

/** `Whole<T>`: a type with nothing optional, so that what may be missing must be there on both sides of a comparison. */
export const whole =
  'type Whole<T> = T extends string | number | boolean | bigint | symbol | null | undefined ? T : T extends (...given: never) => unknown ? T : T extends object ? { [K in keyof T]-?: Whole<T[K]> } : T;';

/** `Lost<Theirs, Ours>`: each key and value by which a union of theirs narrows to a member, and one of ours does not. */
export const lostNarrowing: readonly string[] = [
  'type LostBy<O, U, K extends PropertyKey, V> = V extends string | number | boolean ? [Extract<O, { readonly [P in K]: V }>] extends [never] ? never : [Extract<U, { readonly [P in K]: V }>] extends [never] ? [K, V] : never : never;',
  'type Lost<O, U> = { [K in keyof O & keyof U]: LostBy<O, U, K, O[K]> }[keyof O & keyof U];',
];
