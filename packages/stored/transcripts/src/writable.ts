/** A value that is being built. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
