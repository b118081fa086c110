import { errorText } from '@hexagent/checks';

/** What a program writes to its error stream when it ends with this. Never throws, whatever was thrown. */
export function crashText(error: unknown): string {
  try {
    if (error instanceof Error && typeof error.stack === 'string') return error.stack;
  } catch {
    // A proxy, or a getter of it, that throws.
  }
  return errorText(error);
}
