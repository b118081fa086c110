/** Left out, whoever set them: they are meant for our own process and would change or garble the agent's. */
const removed: ReadonlySet<string> = new Set(['NODE_OPTIONS', 'DEBUG']);

/** Set unless the caller did. The agent puts both into the User-Agent of its requests. */
const defaults: Readonly<Record<string, string>> = {
  CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
  CLAUDE_AGENT_SDK_VERSION: 'hexagent',
};

/** Set always: without them the agent does not report what the SDK has to know. */
const required: Readonly<Record<string, string>> = {
  CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
};

/** The agent's whole environment, made of the caller's. */
export function toEnvironment(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] != null && !removed.has(entry[0]),
  );
  // The agent writes its own log when an official program asks the SDK for one.
  const debug = env['DEBUG_CLAUDE_AGENT_SDK'] ? { DEBUG: '1' } : {};
  return { ...defaults, ...Object.fromEntries(kept), ...debug, ...required };
}
