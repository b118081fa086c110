import { isRecord } from '@hexagent/checks';
import { textDeltaOf as deltaOf, textOf, type AnyMessage } from '@hexagent/ports';
import { warningListenerOf } from './warnings.ts';

/** The newest sessions of which a partial message was seen. */
const streaming = new Set<string>();
const mostSessions = 1000;
let hasWarned = false;

/**
 * The piece of text in a partial message; empty for everything else. Ask for `partialMessages` to get any: the process is
 * warned once where a whole answer comes without.
 */
export function textDeltaOf(message: AnyMessage): string {
  if (!hasWarned) follow(message);
  return deltaOf(message);
}

function follow(message: AnyMessage): void {
  if (!isRecord(message)) return;
  const { session_id: session, parent_tool_use_id: parent = null } = message;
  if (typeof session !== 'string') return;
  if (message.type === 'stream_event') {
    // Behind all others, so that the first has been silent for longest.
    streaming.delete(session);
    streaming.add(session);
    const [oldest] = streaming;
    if (oldest !== undefined && streaming.size > mostSessions) streaming.delete(oldest);
  } else if (parent === null && !streaming.has(session) && isOfModel(message)) {
    hasWarned = true;
    warningListenerOf({})({
      code: 'HEXAGENT_NO_PARTIAL_MESSAGES',
      source: 'textDeltaOf',
      message:
        '`textDeltaOf` was given a whole answer, and no partial message of its session before. It finds text in partial messages alone: set `partialMessages: true` (`includePartialMessages` of `query()`), or use `textOf`.',
    });
  }
}

/** The agent writes answers itself too, of commands and failures, which never come in pieces. */
function isOfModel(message: AnyMessage): boolean {
  const answer: unknown = Reflect.get(message, 'message');
  return isRecord(answer) && answer['model'] !== '<synthetic>' && textOf(message) !== '';
}
