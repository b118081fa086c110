/** The same in the official package's form: nothing is readonly, and what may be missing is never `undefined`. */
export type Mutable<T> = T extends (...given: never) => unknown
  ? T
  : T extends object
    ? { -readonly [Key in keyof T]: Mutable<Exclude<T[Key], undefined>> }
    : T;

/** The same with some fields of other types. */
export type MutableWith<T, Fields> = {
  -readonly [Key in keyof T]: Key extends keyof Fields ? Fields[Key] : Mutable<Exclude<T[Key], undefined>>;
};
