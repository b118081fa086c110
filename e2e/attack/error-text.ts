/** What was thrown, with its stack where it has one. Nothing that is thrown can make this throw. */
export function errorText(error: unknown): string {
  try {
    return error instanceof Error ? String(error.stack) : `${typeof error}: ${String(error)}`;
  } catch {
    return 'something that cannot be read';
  }
}
