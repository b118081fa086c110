import type { Warning } from '@hexagent/ports';

const reported = new Set<string>();
/** A program that names its servers after its users must not make this grow for ever. */
const mostSources = 1000;

/** Shows a warning on the process, once for each source: a callback that always fails fails thousands of times. */
export function warnProcess({ code, source, message, cause }: Warning): void {
  const key = `${code} ${source}`;
  if (reported.has(key) || reported.size >= mostSources) return;
  reported.add(key);
  const detail = stackOf(cause);
  process.emitWarning(message, { type: 'HexagentWarning', code, ...(detail === undefined ? {} : { detail }) });
}

/** The stack of a cause, which shows where the program failed. Any value can be thrown, and reading it may throw. */
function stackOf(cause: unknown): string | undefined {
  try {
    const stack: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'stack') : undefined;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}
