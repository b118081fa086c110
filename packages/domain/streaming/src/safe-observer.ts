import { errorText, type Observer, type WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';

/** The same observer, whose failures, at once or later, are warned of and reach nobody else. */
export function safeObserver(observer: Observer | undefined, warn: WarningListener | undefined): Observer | undefined {
  if (observer === undefined) return undefined;
  const failed = (cause: unknown): void => {
    const message = `The observer failed: ${errorText(cause)}`;
    notify(() => warn?.({ code: 'HEXAGENT_CALLBACK_FAILED', source: 'observer', message, cause }));
  };
  return { observe: (event) => notify(() => observer.observe(event), failed) };
}
