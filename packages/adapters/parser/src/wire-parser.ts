import { errorText, jsonCopy } from '@hexagent/checks';
import { SdkError } from '@hexagent/ports';
import type { JsonCopy } from '@hexagent/checks';
import type { Frame, FrameParser, OutboundFrame } from '@hexagent/ports';
import { checkInbound } from './inbound.ts';
import { checkOutbound } from './outbound.ts';

const byteOrderMark = 0xfeff;
const openingBrace = 0x7b;
const maxShown = 200;

/** The only place where lines of the wire are parsed and written. */
export const wireParser: FrameParser = { parse, stringify };

function parse(line: string, suspect?: (reason: string) => void): Frame | undefined {
  // Nearly every line starts with a brace; only the others can be white space or start with a byte order mark.
  const text = line.charCodeAt(0) === openingBrace ? line : withoutByteOrderMark(line);
  if (text === '') return undefined;
  let frame: unknown;
  try {
    frame = JSON.parse(text);
  } catch (cause) {
    throw malformed('is not JSON', text, cause);
  }
  if (!isFrame(frame)) throw malformed(typeof frame === 'object' && frame ? 'has no `type`' : 'is not an object', text);
  if (suspect !== undefined) {
    const reason = checkInbound(frame);
    if (reason !== undefined) suspect(reason);
  }
  return frame;
}

function withoutByteOrderMark(line: string): string {
  const text = line.charCodeAt(0) === byteOrderMark ? line.slice(1) : line;
  return /\S/u.test(text) ? text : '';
}

function isFrame(value: unknown): value is Frame {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** Shows only the start of the line, which may be megabytes long and hold a secret that a wrapper printed. */
function malformed(what: string, line: string, cause?: unknown): SdkError {
  const start = line.length > maxShown ? `${line.slice(0, maxShown)}…` : line;
  // The message of JSON.parse quotes only a few characters of the line.
  return new SdkError('FRAME_MALFORMED', `A line of the agent ${what}: ${start}`, cause === undefined ? {} : { cause });
}

function stringify(frame: OutboundFrame, { isJson = false }: { readonly isJson?: boolean } = {}): string {
  const { copy, lost }: JsonCopy = isJson ? { copy: frame } : jsonCopy(frame, { name: '' });
  // The copy is checked, since a getter of the program's object may return another value each time.
  const reason = lost ?? checkOutbound(copy as OutboundFrame);
  if (reason !== undefined) throw new SdkError('FRAME_INVALID', reason);
  try {
    // Line breaks inside strings are escaped, and so are lone surrogates: the result is one line of valid UTF-8.
    return JSON.stringify(copy);
  } catch (cause) {
    throw new SdkError('FRAME_INVALID', `The frame is too long for one line: ${errorText(cause)}`, { cause });
  }
}
