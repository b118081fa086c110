import type { AgentMessage } from '@hexagent/ports';

/** The id of the session that a turn begins in; `undefined` for other messages, and where one that fails its check names it by anything else. */
export function sessionIdOf(message: AgentMessage): string | undefined {
  if (message.type !== 'system' || message.subtype !== 'init') return undefined;
  const { session_id: id }: { readonly session_id?: unknown } = message;
  return typeof id === 'string' && id !== '' ? id : undefined;
}
