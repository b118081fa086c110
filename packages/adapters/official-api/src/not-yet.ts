import { SdkError } from '@hexagent/ports';

/** The error for what the official SDK can do and this one cannot yet. */
export function notYet(what: string): SdkError {
  return new SdkError('NOT_SUPPORTED_YET', `${what} is not supported yet.`);
}
