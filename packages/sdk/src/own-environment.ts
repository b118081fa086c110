/** The program's own variables, without the one by which an agent tells its tools that they run inside it. */
export function ownEnvironment(): Record<string, string | undefined> {
  const { CLAUDECODE: _, ...own } = process.env;
  return own;
}
