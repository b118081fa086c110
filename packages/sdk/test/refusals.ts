import { checkOptions } from '../src/checks/options.ts';

/** The errors that a program without types receives for its options. */
export function refusalOf(options: unknown): string {
  try {
    checkOptions(options);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return 'It was accepted.';
}
