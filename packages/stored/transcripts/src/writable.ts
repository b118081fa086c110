/** A value of ours while it is made. */
export type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
