/** @returns the exit code of a command that has failed */
export function complain(message: string): number {
  process.stderr.write(`${message}\n`);
  return 1;
}
