/** The flag that an argument is or belongs to, or its number. */
export function nameOfArgument(args: readonly string[], index: number): string {
  const own = /^--?[\w-]+(?==|$)/.exec(args[index] ?? '')?.[0];
  const before = /^--?[\w-]+$/.exec(args[index - 1] ?? '')?.[0];
  return own ?? before ?? `argument ${index + 1}`;
}
