import { FrameDescriber } from './describe-frame.ts';
import { withoutVolatile } from './frame-differences.ts';
import { fieldsOf, requestOf, textOf } from './frame-fields.ts';
import type { Tape } from './read-tape.ts';

/** Requests that the SDK sends on its own. */
const ownRequests = new Set(['initialize', 'set_has_subscribers']);

/**
 * What the program on a tape did, in a few words each: the messages that it sent, its requests, and its answers, but for hooks that
 * changed nothing. Without ids, times
 * and the working folder, so that two runs are equal when they did the same.
 */
export function sentOn({ entries }: Tape): readonly string[] {
  const describers = new Map<number, FrameDescriber>();
  const sent: string[] = [];
  for (const entry of entries) {
    const describer = describers.get(entry.agent) ?? new FrameDescriber();
    describers.set(entry.agent, describer);
    if ('in' in entry) describer.describe(entry.in);
    if (!('out' in entry)) continue;
    const text = describer.describe(entry.out);
    if (!isOwn(entry.out, text)) sent.push(text);
  }
  const folder = folderOn(entries);
  return sent.map((text) => withoutVolatile(folder === '' ? text : text.replaceAll(folder, '<cwd>')));
}

/** Hooks of the SDK itself leave every call as it is, as many of a program do. */
const isOwn = (frame: unknown, text: string): boolean =>
  ownRequests.has(textOf(requestOf(frame)['subtype'])) || /^answers hook_callback \w+: \{\}$/.test(text);

/** Where the agent worked, as it says itself. */
function folderOn(entries: Tape['entries']): string {
  for (const entry of entries) {
    const frame = 'in' in entry ? fieldsOf(entry.in) : {};
    if (frame['subtype'] === 'init') return textOf(frame['cwd']);
  }
  return '';
}
