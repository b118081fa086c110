import { cameWith } from './came-with.ts';
import { SdkError } from './errors.ts';

/** The error for what this version of the CLI does not have. */
export function unsupportedError(capability: string, version: string | undefined, options?: ErrorOptions): SdkError {
  const cli = version === undefined ? 'This CLI' : `The CLI ${version}`;
  const since = cameWith(capability);
  const message = `${cli} does not support \`${capability}\`.${since === undefined ? '' : ` ${since}`}`;
  return new SdkError('REQUEST_UNSUPPORTED', message, options);
}
