import type { SessionInfo } from '@hexagent/hosting';
import type { ChatState } from '@hexagent/ports';
import type { LiveChat } from './live-chat.ts';

/** What a page is shown of a session. A turn runs for as long as it has a stream, and no longer. */
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
