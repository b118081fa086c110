/** @returns the exit code of a command that has failed */
export function complain(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}

/** What `parseArgs` throws for an option that is unknown, or without its value. */
export const isArgumentError = (error: unknown): error is Error =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
