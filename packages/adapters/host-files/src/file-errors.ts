import { errorText, isRecord, SdkError } from '@hexagent/ports';

/** Whether the system gave one of these reasons for an error. */
export const hasCode = (error: unknown, ...codes: readonly string[]): boolean =>
  isRecord(error) && codes.includes(String(error['code']));

/** What the system says of a file, as an error of ours. */
export function storeFailed(path: string, cause: unknown): SdkError {
  return SdkError.is(cause)
    ? cause
    : new SdkError('STORE_FAILED', `The store in ${path} could not be read or written: ${errorText(cause)}`, { cause });
}
