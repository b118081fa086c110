/*
 * The official package's types are those of the vocabulary, but for two things: nothing is readonly, and what may be
 * missing is never `undefined`.
 */

/** A value of the vocabulary as it is in the official package, all the way down. */
export type Mutable<T> = T extends (...given: never) => unknown
  ? T
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<Exclude<T[Key], undefined>> }
    : T;

/**
 * An object of the vocabulary as it is in the official package, with some fields of other types. Editors show the name it is given,
 * since `Keys` is a parameter; of a type over `keyof T` itself they show how it was made.
 */
export type Official<T, Fields = {}, Keys extends keyof T = keyof T> = {
  -readonly [Key in Keys]: Key extends keyof Fields ? Fields[Key] : Mutable<Exclude<T[Key], undefined>>;
};
