import { notify } from '@hexagent/async';
import { errorText } from '@hexagent/checks';
import { SdkError, type Warning, type WarningListener } from '@hexagent/ports';
import { warnProcess } from '@hexagent/processes';

/** Where errors and warnings go that no caller receives. */
export interface Reporting {
  readonly warn: WarningListener;
  /** Never throws. */
  readonly onError: (error: unknown) => void;
  /** Reports nothing more: where stores are closed, what was on its way fails for no other reason. */
  stop(): void;
}

export function reportTo(listener: ((error: unknown) => void) | undefined): Reporting {
  const warn: WarningListener = (warning) => notify(() => warnProcess(warning));
  const report = listener ?? ((cause: unknown): void => warn(toWarning(cause)));
  let isStopped = false;
  return {
    warn,
    // One that throws must end neither the process nor what reports to it.
    onError: (cause) => void (isStopped || notify(() => report(cause))),
    stop: () => {
      isStopped = true;
    },
  };
}

function toWarning(cause: unknown): Warning {
  const text = errorText(cause);
  const remedy = SdkError.is(cause) ? ` ${cause.remedy}` : '';
  const source = SdkError.is(cause) ? cause.code : text.slice(0, 80);
  // A message of the operating system ends without one.
  const message = `A chat failed: ${text}${remedy === '' || text.endsWith('.') ? '' : '.'}${remedy}`;
  return { code: 'HEXAGENT_CHAT_FAILED', source, message, cause };
}
