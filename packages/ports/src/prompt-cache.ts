/**
 * Why the service did not find a conversation in its cache, as far as that shows: the first that fits.
 * - `cleared`, `compaction`: the conversation itself was replaced.
 * - `fallback`, `model`: another model answers, and each has its own cache.
 * - `tools`: the list of tools has changed, which stands before everything else.
 * - `idle`: nothing was asked for longer than the service keeps it.
 * - `resume`: the session was resumed too late, or with other options.
 */
export type CacheMissCause = 'cleared' | 'compaction' | 'fallback' | 'model' | 'tools' | 'idle' | 'resume' | 'unknown';

/** What avoids it; `undefined` where it is meant, or nothing can be done. */
export const cacheRemedies: Readonly<Record<CacheMissCause, string | undefined>> = {
  cleared: undefined,
  compaction: undefined,
  fallback: undefined,
  model: 'Change the model between sessions, not within one.',
  tools: 'Have all MCP servers ready before the first message (`session.mcp.ready()`), and keep them.',
  idle: 'Send the next message within five minutes where that is possible.',
  resume: 'Resume a session within five minutes, with the same model, tools, system prompt and folder.',
  unknown: undefined,
};
