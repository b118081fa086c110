import type { ReactNode } from 'react';
import type { UiFailure } from '@hexagent/ui-stream';
import { ApiError, problemOf } from './api.ts';

interface Props {
  readonly error: unknown;
  /** Why a turn failed, where its message has that. */
  readonly failure?: UiFailure | undefined;
  readonly action?: { readonly label: string; onClick(): void } | undefined;
  onDismiss?(): void;
}

/** What went wrong, and what can be done about it. */
export function Notice({ error, failure, action, onDismiss }: Props) {
  // The text of the error has both, one behind the other.
  const { message, remedy } = error instanceof Error && failure && isAbout(error, failure) ? failure : describe(error);
  return (
    <div className="notice" role="alert">
      <div>
        <p>{message}</p>
        {remedy && <p className="remedy">{withCode(remedy)}</p>}
      </div>
      <div className="notice-buttons">
        {action && (
          <button type="button" onClick={action.onClick}>
            {action.label}
          </button>
        )}
        {onDismiss && (
          <button type="button" onClick={onDismiss}>
            Dismiss
          </button>
        )}
      </div>
    </div>
  );
}

/** What stands between backquotes is what a person types. */
const withCode = (text: string): readonly ReactNode[] =>
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const isAbout = (error: Error, { message }: UiFailure): boolean => error.message.startsWith(message);

function describe(error: unknown): { readonly message: string; readonly remedy?: string | undefined } {
  if (error instanceof ApiError) return { message: error.message, remedy: error.remedy };
  if (!(error instanceof Error)) return { message: String(error) };
  if (isDisconnection(error))
    return { message: 'The server is not responding.', remedy: 'Check that it is running, then try again.' };
  // `useChat` has the body of a refused request as the message of its error.
  const problem = problemOf(error.message);
  // Of a failed turn, what to do about it is in the lines after the first.
  const [first = '', ...others] = (problem.message ?? error.message).split('\n');
  return { message: first, remedy: problem.remedy ?? (others.join(' ').trim() || undefined) };
}

/** The three browsers report a lost connection as a `TypeError`, each with another message. */
export const isDisconnection = (error: unknown): boolean =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
