import { errorText } from '@hexagent/checks';
import type { Warning, WarningCode, WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';
import { warnProcess } from '@hexagent/processes';
import type { Parts } from './parts.ts';

/** Warnings about events that an observer receives too. */
const observed: ReadonlySet<WarningCode> = new Set([
  'HEXAGENT_AGENT_NOT_ENDED',
  'HEXAGENT_CALLBACK_FAILED',
  'HEXAGENT_SERVER_FAILED',
]);

/**
 * The receiver of warnings: the listener of the program, else the process. An observer receives failures as events, except its
 * own, so the process is not warned of these; it does not receive mistakes in options.
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
