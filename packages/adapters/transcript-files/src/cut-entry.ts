import type { TranscriptEntry } from '@hexagent/ports';
import { entryOf } from './parse-entry.ts';

const quote = '"';
const closers: Readonly<Record<string, string>> = { '{': '}', '[': ']' };
/** What an escape leaves behind when it is cut. */
const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/;

/**
 * The beginning of an entry whose line is longer than these bytes: the text in which it is cut ends there, and the fields
 * behind it are missing. `undefined` where it is not cut in a text.
 */
export function cutEntry(bytes: Buffer, start: number, end: number): TranscriptEntry | undefined {
  const text = bytes.toString('utf8', start, end);
  const open: string[] = [];
  let isInText = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (isInText) {
      if (character === '\\') index += 1;
      else if (character === quote) isInText = false;
    } else if (character === quote) isInText = true;
    else if (character in closers) open.push(closers[character] ?? '');
    else if (character === '}' || character === ']') open.pop();
  }
  if (!isInText) return undefined;
  return entryOf(`${withoutCutEscape(text)}"${open.toReversed().join('')}`);
}

function withoutCutEscape(text: string): string {
  const escape = cutEscape.exec(text);
  if (escape === null) return text;
  const before = /\\*$/.exec(text.slice(0, escape.index))?.[0].length ?? 0;
  // Behind an odd number of backslashes, the last one is the second half of an escape.
  return before % 2 === 0 ? text.slice(0, escape.index) : text;
}
