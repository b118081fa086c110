import { errorText } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';

/** Wraps an error of the file system in an `SdkError`; one that is an `SdkError` already is returned as it is. */
export function storeFailed(path: string, cause: unknown): SdkError {
  return SdkError.is(cause)
    ? cause
    : new SdkError('STORE_FAILED', `The store in ${path} could not be read or written: ${errorText(cause)}`, { cause });
}
