/**
 * The error of a start without what it holds of the launch: Node hangs all arguments on an error of the system, and
 * prints a value that it does not take itself. Rules and secrets are among them.
 */
export function withoutValues(cause: unknown): unknown {
  if (!(cause instanceof Error)) return cause;
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('ERR_INVALID_ARG'))
    return Object.assign(new Error(`Node did not take the launch (${code}).`), { code });
  Reflect.deleteProperty(cause, 'spawnargs');
  return cause;
}
