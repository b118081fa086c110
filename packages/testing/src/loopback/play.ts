import { errorJson, type NextId } from './message.ts';
import type { MessagesBody } from './requests.ts';
import { streamReply } from './stream-reply.ts';
import type { ApiError, Reply, Turn } from './turns.ts';
import { wholeReply } from './whole-reply.ts';
import type { Wire } from './wire.ts';

/** Plays one turn to its end; throws `BrokenOff` when the client disconnects or the turn has a cut. */
export async function play(turn: Turn, body: MessagesBody, wire: Wire, nextId: NextId): Promise<void> {
  switch (turn.type) {
    case 'dropped':
      return wire.cut();
    case 'api_error':
      return await sendError(turn, wire, nextId);
    case 'reply':
      return await sendReply(turn, body, wire, nextId);
  }
}

async function sendReply(turn: Reply, body: MessagesBody, wire: Wire, nextId: NextId): Promise<void> {
  if (turn.headersAfter !== undefined) await wire.happen(turn.headersAfter);
  const streamed = body.stream === true;
  const headers = { 'request-id': nextId('req'), ...turn.headers };
  if (streamed) await streamReply(turn, { body, wire, nextId, headers });
  else await wholeReply(turn, { body, wire, nextId, headers });
}

async function sendError(turn: ApiError, wire: Wire, nextId: NextId): Promise<void> {
  const requestId = nextId('req');
  wire.open(turn.status, { 'content-type': 'application/json', 'request-id': requestId, ...turn.headers });
  await wire.end(errorJson(turn.errorType, turn.message, requestId));
}
