import { checkOptions } from '../src/checks/options.ts';

/** What a program without types is told about its options. */
export function refusalOf(options: unknown): string {
  try {
    checkOptions(options);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return 'It was accepted.';
}
