import { SpanStatusCode, type Span } from '@opentelemetry/api';
import { SdkError, type TurnOutcome } from '@hexagent/ports';
import { errorType } from './names.ts';

/** How an operation ended. Without `error` it did what it was to do. */
export interface Ending {
  /** A value of few kinds, for `error.type`. */
  readonly error?: string | undefined;
  readonly message?: string | undefined;
}

export const completed: Ending = {};

/** The ending of the turn, and of all in it that had not ended. */
export function endingOf(outcome: TurnOutcome): Ending {
  if (outcome.kind === 'completed') return completed;
  if (outcome.kind !== 'failed') return { error: outcome.kind };
  return { error: outcome.status === undefined ? outcome.cause : String(outcome.status), message: outcome.message };
}

/** The ending of what an error cut short. */
export function endingBy(error: unknown): Ending {
  if (SdkError.is(error)) return { error: error.code, message: error.message };
  return error instanceof Error ? { error: error.name, message: error.message } : { error: '_OTHER' };
}

/** Ends a span with its true status. Success has no status, as the specification asks of instrumentations. */
export function endSpan(span: Span, { error, message }: Ending, at: number): void {
  if (error !== undefined) {
    span.setAttribute(errorType, error);
    span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
  }
  span.end(at);
}
