import { errorText } from '@hexagent/checks';
import { remedies, SdkError, type ErrorCode } from '@hexagent/ports';
import type { TapeError } from './tape-entry.ts';

export function toTapeError(error: unknown): TapeError {
  const name = error instanceof Error ? error.name : typeof error;
  return { name, ...(SdkError.is(error) && { code: error.code }), message: errorText(error) };
}

/** The error again, as far as a tape has it. */
export function toError({ name, code, message }: TapeError): Error {
  if (code !== undefined && isErrorCode(code)) return new SdkError(code, message);
  const error = new Error(message);
  error.name = name;
  return error;
}

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(remedies, code);
