import { checkBytes, checkDelay } from '@hexagent/checks';
import type { ConversationOptions } from '@hexagent/ports';
import { abortedBefore } from './connecting.ts';

/** Called before anything is started: a wrong mark would pause the agent for ever, a wrong delay would end at once. */
export function checkConversation({
  softMarkBytes,
  hardMarkBytes,
  initializeTimeoutMs,
  signal,
}: ConversationOptions): void {
  checkBytes('softMarkBytes', softMarkBytes);
  checkBytes('hardMarkBytes', hardMarkBytes);
  checkDelay('initializeTimeoutMs', initializeTimeoutMs);
  if (signal?.aborted) throw abortedBefore(signal);
}
