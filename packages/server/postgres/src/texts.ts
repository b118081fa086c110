/*
 * PostgreSQL keeps no NUL in a text, and `pg` makes one character of every half of a surrogate pair. Both are legal in what a program
 * names or says, so a name is stored with the escapes of JSON, and a value as JSON in a column of text: `jsonb` would refuse them too.
 */

/** A name as it is stored. Different names are stored as different ones. */
export const stored = (name: string): string => JSON.stringify(name).slice(1, -1);

/** The name of which {@link stored} made this. */
export const restored = (text: string): string => JSON.parse(`"${text}"`) as string; // what it was made of

/** The value that was stored as this JSON. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows what its store wrote
export const parsed = <T>(json: string): T => JSON.parse(json) as T; // written by a store of ours
