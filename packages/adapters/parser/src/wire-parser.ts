import { errorText, jsonCopy, SdkError } from '@hexagent/ports';
import type { Frame, FrameParser, OutboundFrame } from '@hexagent/ports';
import { checkInbound } from './inbound.ts';
import { checkOutbound } from './outbound.ts';

const byteOrderMark = 0xfeff;
const openingBrace = 0x7b;
const shownOfALine = 200;

/** The only place where lines of the wire become objects, and objects become lines. */
export const wireParser: FrameParser = { parse, stringify };

function parse(line: string, suspect: (reason: string) => void): Frame | undefined {
  // Nearly every line starts with a brace: only the others are looked at for white space and a byte order mark.
  const text = line.charCodeAt(0) === openingBrace ? line : withoutMark(line);
  if (text === '') return undefined;
  const frame = parseFrame(text);
  const reason = checkInbound(frame);
  if (reason !== undefined) suspect(reason);
  return frame;
}

function withoutMark(line: string): string {
  const text = line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line;
  return /\S/u.test(text) ? text : '';
}

function parseFrame(line: string): Frame {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw malformed('is not JSON', line, cause);
  }
  if (typeof value !== 'object' || value === null) throw malformed('is not an object', line);
  if (!hasType(value)) throw malformed('has no `type`', line);
  return value;
}

function hasType(value: object): value is Frame {
  return typeof (value as { type?: unknown }).type === 'string'; // a cast for reading one field of what may be anything
}

/** Never the whole line: it may be megabytes, and what a wrapper prints may be secret. */
function malformed(what: string, line: string, cause?: unknown): SdkError {
  const start = line.length > shownOfALine ? `${line.slice(0, shownOfALine)}…` : line;
  // JSON.parse quotes the text in its message as well, but only a few characters of it.
  return new SdkError('FRAME_MALFORMED', `A line of the agent ${what}: ${start}`, cause === undefined ? {} : { cause });
}

function stringify(frame: OutboundFrame): string {
  const { copy, lost } = jsonCopy(frame, { name: '' });
  // The copy is checked, since an object of the program's may read differently each time.
  const reason = lost ?? checkOutbound(copy as OutboundFrame);
  if (reason !== undefined) throw new SdkError('FRAME_INVALID', reason);
  try {
    // Line breaks inside strings are escaped, and so are lone surrogates: the result is one line of valid UTF-8.
    return JSON.stringify(copy);
  } catch (cause) {
    throw new SdkError('FRAME_INVALID', `The frame is too long for one line: ${errorText(cause)}`, { cause });
  }
}
