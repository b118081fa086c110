import { errorText } from '@hexagent/checks';
import type { Warning, WarningCode, WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';
import type { Parts } from './parts.ts';

const reported = new Set<string>();
/** A program that names its servers after its users must not make this grow for ever. */
const mostSources = 1000;

/** What an observer sees by itself. */
const observed: ReadonlySet<WarningCode> = new Set([
  'HEXAGENT_AGENT_NOT_ENDED',
  'HEXAGENT_CALLBACK_FAILED',
  'HEXAGENT_SERVER_FAILED',
]);

/**
 * Who receives warnings: the program if it passes a listener, else the process. An observer sees failures by itself, all but
 * its own, and no mistakes in options.
 */
export function warningListenerOf({ onWarning, observer }: Pick<Parts, 'onWarning' | 'observer'>): WarningListener {
  const listener = onWarning ?? warnProcess;
  const isSeen = ({ code, source }: Warning): boolean => observed.has(code) && source !== 'observer';
  return (warning) => {
    if (onWarning !== undefined || observer === undefined || !isSeen(warning)) notify(() => listener(warning));
  };
}

/** The same listener, whose failures are warned of and do not propagate. */
export function guarded(onStderr: (text: string) => void, warn: WarningListener): (text: string) => void {
  return (text) =>
    notify(
      () => onStderr(text),
      (cause) =>
        warn({
          code: 'HEXAGENT_CALLBACK_FAILED',
          source: 'error stream listener',
          message: `The listener of the agent's error stream failed: ${errorText(cause)}`,
          cause,
        }),
    );
}

/** Shows a warning on the process, once for each source: a callback that always fails fails thousands of times. */
function warnProcess({ code, source, message, cause }: Warning): void {
  const key = `${code} ${source}`;
  if (reported.has(key) || reported.size >= mostSources) return;
  reported.add(key);
  const detail = stackOf(cause);
  process.emitWarning(message, { type: 'HexagentWarning', code, ...(detail === undefined ? {} : { detail }) });
}

/** Where the program's own code failed. Anything can be thrown, and reading it may throw again. */
function stackOf(cause: unknown): string | undefined {
  try {
    const stack: unknown = typeof cause === 'object' && cause !== null ? Reflect.get(cause, 'stack') : undefined;
    return typeof stack === 'string' ? stack : undefined;
  } catch {
    return undefined;
  }
}
