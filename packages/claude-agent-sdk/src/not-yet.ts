import { SdkError } from '@hexagent/ports';

/** The error for a function of an entry that is not built yet. */
export function notYet(name: string, entry: string): SdkError {
  return new SdkError('NOT_SUPPORTED_YET', `\`${name}()\` of \`${entry}\` is not supported yet.`);
}
