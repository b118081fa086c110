import { errorText } from '@hexagent/checks';
import type { ObservedFact, Observer, WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** Reports what happens in one conversation. Never throws. */
export type Report = (fact: ObservedFact) => void;

/** Reports to the observer. What it throws or rejects with becomes a warning. */
export function reportTo(
  observer: Observer | undefined,
  warn: WarningListener | undefined,
  conversation: string,
): Report | undefined {
  if (observer === undefined) return undefined;
  const failed = (cause: unknown): void => {
    const message = `The observer failed: ${errorText(cause)}`;
    notify(() => warn?.({ code: 'HEXAGENT_CALLBACK_FAILED', source: 'observer', message, cause }));
  };
  return (fact) => notify(() => observer.observe({ ...fact, conversation }), failed);
}
