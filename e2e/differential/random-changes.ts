import type { Chance } from '../support/chance.ts';
import type { Sdk } from './sdks.ts';
import { sessionId, uuidOf } from './stored-places.ts';

/** One call that changes stored sessions, as data: both packages are to make the same calls. */
export interface Change {
  readonly name: 'rename' | 'tag' | 'archive' | 'unarchive' | 'fork' | 'delete';
  readonly text: string | null;
  readonly upToMessageId: string | undefined;
  readonly dir: string | undefined;
  /** Of the newest copy, if there is one. */
  readonly isOfCopy: boolean;
}

const texts = [
  'Title',
  '  spaces \n and lines ',
  '',
  ' ',
  'é😀 \u2028 "quoted" \\ back',
  'zero\u200Bwidth',
  '\u200B',
  'x'.repeat(5000),
  '{"type":"tag","tag":"no"}',
  '\ud800',
  'null',
];

/** As many changes as a seed decides, most of them forks: what is copied depends most on the transcript. */
export function randomChanges(chance: Chance, uuids: readonly string[]): readonly Change[] {
  return chance.list(1, 4, () => ({
    name: chance.oneOf(['fork', 'fork', 'fork', 'rename', 'tag', 'archive', 'unarchive', 'delete'] as const),
    text: chance.rarely<string | null>(15, chance.oneOf(texts), [null]),
    upToMessageId: chance.percent(60) ? chance.oneOf([...uuids, uuidOf('none'), '', sessionId]) : undefined,
    dir: chance.rarely<string | undefined>(15, undefined, ['/some/dir', '/other', '']),
    isOfCopy: chance.percent(25),
  }));
}

/**
 * Whether a copy differs, or is not to be compared: what hangs on a message of a subagent keeps here what is before that; and
 * no agent writes an answer before what it answers, or a compaction that is anchored in a report of progress.
 */
export function isOursOnPurpose(entries: readonly Readonly<Record<string, unknown>>[]): boolean {
  const named = (uuid: unknown): Readonly<Record<string, unknown>> | undefined =>
    entries.findLast((each) => each['uuid'] === uuid);
  return entries.some(({ isSidechain, parentUuid, compactMetadata }, place) => {
    if (typeof parentUuid === 'string' && entries.slice(place).some(({ uuid }) => uuid === parentUuid)) return true;
    const noted = JSON.stringify(compactMetadata ?? '');
    if (entries.some(({ type, uuid }) => type === 'progress' && noted.includes(String(uuid)))) return true;
    if (isSidechain === true) return false;
    const seen = new Set<unknown>();
    for (
      let parent = named(parentUuid);
      parent !== undefined && !seen.has(parent);
      parent = named(parent['parentUuid'])
    ) {
      if (parent['isSidechain'] === true) return true;
      if (parent['type'] !== 'progress') return false;
      seen.add(parent);
    }
    return false;
  });
}

export interface Made {
  readonly outcomes: readonly unknown[];
  /** The ids of the copies, in the order in which they were made. */
  readonly copies: readonly string[];
}

/** Makes the changes. */
export async function make(sdk: Sdk, changes: readonly Change[]): Promise<Made> {
  const outcomes: unknown[] = [];
  const copies: string[] = [];
  for (const change of changes) {
    const id = (change.isOfCopy ? copies.at(-1) : undefined) ?? sessionId;
    try {
      const made = await makeOne(sdk, id, change);
      if (made !== undefined) copies.push(made.sessionId);
      outcomes.push('done');
    } catch {
      outcomes.push('threw'); // the words are each package's own
    }
  }
  return { outcomes, copies };
}

async function makeOne(sdk: Sdk, id: string, change: Change): Promise<{ readonly sessionId: string } | undefined> {
  const { name, text, upToMessageId } = change;
  const options = change.dir === undefined ? {} : { dir: change.dir };
  switch (name) {
    case 'fork': {
      const cut = upToMessageId === undefined ? {} : { upToMessageId };
      return await sdk.forkSession(id, { ...options, ...cut, ...(text !== null && { title: text }) });
    }
    case 'rename':
      await sdk.renameSession(id, text ?? '', options);
      break;
    case 'tag':
      await sdk.tagSession(id, text, options);
      break;
    case 'archive':
      await sdk.archiveSession(id, options);
      break;
    case 'unarchive':
      await sdk.unarchiveSession(id, options);
      break;
    case 'delete':
      await sdk.deleteSession(id, options);
      break;
  }
  return undefined;
}
