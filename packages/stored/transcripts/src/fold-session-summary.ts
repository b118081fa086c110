import { isRecord } from '@hexagent/checks';
import type { SessionKey, SessionStoreEntry, SessionSummaryEntry } from '@hexagent/ports';
import { beginningOf } from './first-prompt.ts';

type Summary = Record<string, unknown>;

/** Fields of entries of which the newest counts, with the name that each has in a summary. */
const newest = [
  ['customTitle', 'customTitle'],
  ['aiTitle', 'aiTitle'],
  ['lastPrompt', 'lastPrompt'],
  ['summary', 'summaryHint'],
  ['gitBranch', 'gitBranch'],
] as const;

/**
 * Adds entries to a store's summary of a session: its titles, how it began, its tag. A store calls this where it appends
 * entries, keeps what it returns, and passes it the next time. It changes nothing that it is given. The summaries of the
 * official package and of this one are the same.
 *
 * `mtime` is the time at which the store writes, by the clock of its `listSessions`; without it that of `previous` stays.
 */
export function foldSessionSummary(
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  { mtime }: { readonly mtime?: number } = {},
): SessionSummaryEntry {
  const data: Summary = { ...previous?.data };
  for (const entry of entries) addEntry(data, entry);
  return {
    sessionId: previous?.sessionId ?? key.sessionId,
    mtime: mtime ?? previous?.mtime ?? 0,
    data,
  };
}

function addEntry(data: Summary, given: unknown): void {
  // What a store is given comes from files: an entry that is not an object has no fields, and is an entry all the same.
  const entry = isRecord(given) ? given : {};
  setOnce(data, 'isSidechain', entry['isSidechain'] === true);
  setOnce(data, 'createdAt', timeOf(entry['timestamp']));
  setOnce(data, 'cwd', textIn(entry, 'cwd'));
  addBeginning(data, entry);
  for (const [field, name] of newest) {
    const value = entry[field];
    if (typeof value === 'string') data[name] = value;
  }
  if (entry['type'] !== 'tag') return;
  const tag = textIn(entry, 'tag');
  if (tag === undefined) delete data['tag'];
  else data['tag'] = tag;
}

function setOnce(data: Summary, name: string, value: unknown): void {
  if (data[name] === undefined && value !== undefined) data[name] = value;
}

/** The first prompt stays; until there is one, the first command takes its place in lists. */
function addBeginning(data: Summary, entry: Readonly<Record<string, unknown>>): void {
  if (data['firstPromptLocked']) return;
  const { prompt, command } = beginningOf(entry);
  if (!data['commandFallback'] && command !== undefined) data['commandFallback'] = command;
  if (prompt === undefined) return;
  data['firstPrompt'] = prompt;
  data['firstPromptLocked'] = true;
}

/** An empty text is none. */
function textIn(entry: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = entry[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function timeOf(timestamp: unknown): number | undefined {
  const time = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(time) ? undefined : time;
}
