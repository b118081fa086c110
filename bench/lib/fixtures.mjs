// The output of the stand-in, as files that it only copies. Made once per run.
import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { assistantMessage, delta, initMessage, lineOf, resultMessage } from './wire.mjs';

/** A whole answer of three messages, short enough for an environment variable. */
export const shortAnswer = [initMessage, assistantMessage('Four.'), resultMessage].map(lineOf).join('').trimEnd();

export const deltasFile = (folder, count) =>
  saying(folder, `deltas-${count}.jsonl`, () => Array.from({ length: count }, (_, number) => delta(number)));

export const lineFile = (folder, length) =>
  saying(folder, `line-${length}.jsonl`, () => [assistantMessage('x'.repeat(length))]);

export const longMessagesFile = (folder, bytes) =>
  saying(folder, `long-${bytes}.jsonl`, () => {
    const text = 'word '.repeat(400);
    const count = Math.ceil(bytes / lineOf(assistantMessage(text)).length);
    return Array.from({ length: count }, (_, number) => assistantMessage(`${text}${number}`, number));
  });

function saying(folder, name, messages) {
  const file = path.join(folder, name);
  if (!existsSync(file)) writeFileSync(file, [initMessage, ...messages(), resultMessage].map(lineOf).join(''));
  return file;
}
