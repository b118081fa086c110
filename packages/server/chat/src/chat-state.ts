import type { SessionInfo } from '@hexagent/hosting';
import type { ChatState } from '@hexagent/ports';
import type { LiveChat } from './live-chat.ts';

/** The state of a session for a page. A turn runs as long as it has a stream. */
export function chatStateOf(
  { isHeld, isCrashing }: Pick<SessionInfo, 'isHeld' | 'isCrashing'>,
  live: Pick<LiveChat, 'isWaiting' | 'turnId'> | undefined,
  hasFailed: boolean,
): ChatState {
  if (live?.isWaiting === true) return 'awaiting-approval';
  if (live?.turnId !== undefined) return 'running';
  if (isCrashing) return 'crashed';
  if (isHeld) return 'held';
  return hasFailed ? 'failed' : 'idle';
}
