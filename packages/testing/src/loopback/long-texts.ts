import { pause, type Pause } from './stream-effects.ts';
import { text, type TextPart } from './turns.ts';

/** A text in `chunks` pieces with real time between them, for demos. */
export function slow(content: string, options: { readonly chunks: number; readonly everyMs: number }): TextPart {
  return text(slowPieces(content, options));
}

/** `count` deltas of the same piece. Created while they are sent, so that 60 MB of text take no memory. */
export function deltas(count: number, piece = 'x'): TextPart {
  return text({ [Symbol.iterator]: () => repeated(count, piece) });
}

function slowPieces(content: string, { chunks, everyMs }: { chunks: number; everyMs: number }): (string | Pause)[] {
  const size = Math.max(1, Math.ceil(content.length / chunks));
  const pieces: (string | Pause)[] = [];
  for (let start = 0; start < content.length; start += size) {
    if (start > 0) pieces.push(pause(everyMs));
    pieces.push(content.slice(start, start + size));
  }
  return pieces;
}

function* repeated(count: number, piece: string): Generator<string> {
  for (let sent = 0; sent < count; sent += 1) yield piece;
}
