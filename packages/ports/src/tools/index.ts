// What the built-in tools take and return. Each type that these files export is an official name, which the report of this
// entry lists, and `sdk-tools` of the drop-in hands on.
export type * from './artifacts.ts';
export type * from './files.ts';
export type * from './planning.ts';
export type * from './reaching-out.ts';
export type * from './running.ts';
export type * from './services.ts';
