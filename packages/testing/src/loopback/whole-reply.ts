import { envelope, errorJson, signature, stopReason, toolBlock, usage, type Stage } from './message.ts';
import type { Part, Pieces, Reply } from './turns.ts';
import { BrokenOff } from './wire.ts';

/** Sends a reply as one JSON message, for a client that did not ask for a stream. What happens in it happens before. */
export async function wholeReply(turn: Reply, stage: Stage): Promise<void> {
  const content: object[] = [];
  for (const part of turn.parts) {
    const block = await blockOf(part, stage);
    if (block !== undefined) content.push(block);
  }
  const message = {
    ...envelope(stage),
    content,
    stop_reason: stopReason(turn),
    stop_sequence: null,
    usage: usage(turn),
  };
  stage.wire.open(200, { 'content-type': 'application/json', ...stage.headers });
  await stage.wire.end(JSON.stringify(message));
}

async function blockOf(part: Part, stage: Stage): Promise<object | undefined> {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: await joined(part.pieces, stage) };
    case 'thinking':
      return { type: 'thinking', thinking: await joined(part.pieces, stage), signature };
    case 'tool_use':
      return { ...toolBlock(part, stage), input: part.input };
    default:
      await joined([part], stage);
      return undefined;
  }
}

async function joined(pieces: Pieces, stage: Stage): Promise<string> {
  if (typeof pieces === 'string') return pieces;
  let whole = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') whole += piece;
    else if (piece.type === 'error') {
      // Outside a stream the API can only report this by a status.
      stage.wire.open(500, { 'content-type': 'application/json', ...stage.headers });
      await stage.wire.end(errorJson(piece.errorType, piece.message, stage.headers['request-id'] ?? ''));
      throw new BrokenOff('cut');
    } else await stage.wire.happen(piece);
  }
  return whole;
}
