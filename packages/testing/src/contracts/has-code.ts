import { SdkError, type ErrorCode } from '@hexagent/ports';

/** For `assert.rejects`: whether an error is ours and has this code. */
export function hasCode(code: ErrorCode): (error: unknown) => boolean {
  return (error) => SdkError.is(error) && error.code === code;
}
