/** The program's own variables, without the one that an agent sets for the tools that run inside it. */
export function ownEnvironment(): Record<string, string | undefined> {
  const { CLAUDECODE: _, ...own } = process.env;
  return own;
}
