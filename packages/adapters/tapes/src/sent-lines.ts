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
  const folder = folderOn(entries);
  const sent: string[] = [];
  for (const entry of entries) {
    const describer = describers.get(entry.agent) ?? new FrameDescriber();
    describers.set(entry.agent, describer);
    if ('in' in entry) describer.describe(entry.in);
    if (!('out' in entry)) continue;
    // Before it is described: a long text is cut there, and has to be cut at the same place in two runs.
    const text = describer.describe(comparable(entry.out, folder));
    if (!isOwn(entry.out, text)) sent.push(text);
  }
  return sent;
}

/** A copy whose texts are those of every run. The id of a request stays: it says what is answered. */
function comparable(frame: unknown, folder: string): unknown {
  return JSON.parse(JSON.stringify(frame), (name, value: unknown) => {
    if (typeof value !== 'string' || name === 'request_id') return value;
    return withoutVolatile(folder === '' ? value : value.replaceAll(folder, '<cwd>'));
  });
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
