import type { StreamError } from './stream-effects.ts';
import { envelope, signature, stopReason, toolBlock, usage, type Stage } from './message.ts';
import type { Part, Pieces, Reply } from './turns.ts';
import { BrokenOff } from './wire.ts';

/** Sends a reply as the server-sent events of the Messages API. */
export async function streamReply(turn: Reply, stage: Stage): Promise<void> {
  const { wire } = stage;
  wire.open(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', ...stage.headers });
  const counted = usage(turn);
  const message = { ...envelope(stage), content: [], stop_reason: null, stop_sequence: null };
  // As the API does: input is counted at the start, output grows and is final in `message_delta`.
  wire.write(event('message_start', { message: { ...message, usage: { ...counted, output_tokens: 1 } } }));
  let index = 0;
  for (const part of turn.parts) {
    if (await sendPart(part, index, stage)) index += 1;
  }
  const delta = { stop_reason: stopReason(turn), stop_sequence: null };
  wire.write(event('message_delta', { delta, usage: counted }));
  await wire.end(event('message_stop', {}));
}

/** Returns whether the part was a content block, which uses up an index. */
async function sendPart(part: Part, index: number, stage: Stage): Promise<boolean> {
  const { wire } = stage;
  const open = (block: object): boolean => wire.write(event('content_block_start', { index, content_block: block }));
  const delta = (change: object): boolean => wire.write(event('content_block_delta', { index, delta: change }));
  switch (part.type) {
    case 'text':
      open({ type: 'text', text: '' });
      await sendPieces(part.pieces, stage, (piece) => delta({ type: 'text_delta', text: piece }));
      break;
    case 'thinking':
      open({ type: 'thinking', thinking: '', signature: '' });
      await sendPieces(part.pieces, stage, (piece) => delta({ type: 'thinking_delta', thinking: piece }));
      delta({ type: 'signature_delta', signature });
      break;
    case 'tool_use':
      open({ ...toolBlock(part, stage), input: {} });
      await sendPieces(part.json ?? JSON.stringify(part.input), stage, (piece) =>
        delta({ type: 'input_json_delta', partial_json: piece }),
      );
      break;
    case 'error':
      return await breakOff(part, stage);
    default:
      await wire.happen(part);
      return false;
  }
  if (wire.write(event('content_block_stop', { index }))) await wire.flush();
  return true;
}

async function sendPieces(pieces: Pieces, stage: Stage, send: (piece: string) => boolean): Promise<void> {
  for (const piece of typeof pieces === 'string' ? [pieces] : pieces) {
    if (typeof piece === 'string') {
      if (send(piece)) await stage.wire.flush();
    } else if (piece.type === 'error') await breakOff(piece, stage);
    else await stage.wire.happen(piece);
  }
}

async function breakOff({ errorType, message }: StreamError, { wire }: Stage): Promise<never> {
  await wire.end(event('error', { error: { type: errorType, message } }));
  throw new BrokenOff('cut');
}

function event(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}
