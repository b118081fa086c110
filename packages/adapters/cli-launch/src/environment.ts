/** Never passed on: they are meant for this process, and would change the agent or put other text into its output. */
const removed: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'DEBUG']);

/** Set unless the caller did. The agent puts the first two into the User-Agent of its requests. */
const defaults: Readonly<Record<string, string>> = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: 'hexagent',
  // Without it the agent does not report its state; turns and tasks are then counted.
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
};

/** The agent's whole environment, made from the caller's. */
export function toEnvironment(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] != null && !removed.has(entry[0]),
  );
  // In the official package, this variable turns on the agent's log as well.
  const debug = env['DEBUG_CLAUDE_AGENT_SDK'] ? [['DEBUG', '1'] as const] : [];
  return Object.fromEntries([...Object.entries(defaults), ...kept, ...debug]);
}
