import { errorText, record, text } from '@hexagent/checks';
import { remedies, SdkError, type ErrorCode } from '@hexagent/ports';

/** A failure on its way: the code of an `SdkError`, and its message. */
export interface Failure {
  readonly code?: string | undefined;
  readonly message: string;
}

const longest = 2000;

export function toFailure(error: unknown): Failure {
  const message = errorText(error).slice(0, longest);
  return SdkError.is(error) ? { code: error.code, message } : { message };
}

const check = record<Failure>({ code: text(), message: text('a message', /^[^]{1,2000}$/) }, { required: ['message'] });

/**
 * The error that a worker reported. A code that is not known here is a plain error, and so is `WORKER_UNREACHABLE`, which only this side
 * can tell.
 * @throws {TypeError} for anything but a failure.
 */
export function toError(value: unknown, owner: string): Error {
  const { code, message } = check(value, 'error');
  if (code !== undefined && code !== 'WORKER_UNREACHABLE' && Object.hasOwn(remedies, code))
    return new SdkError(code as ErrorCode, message); // a key of the table
  return new Error(`The worker ${owner} failed: ${message}`);
}
