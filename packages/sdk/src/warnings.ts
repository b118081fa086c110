import { errorText } from '@hexagent/checks';
import type { Warning, WarningCode, WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';
import { warnProcess } from '@hexagent/processes';
import type { Parts } from './parts.ts';

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
