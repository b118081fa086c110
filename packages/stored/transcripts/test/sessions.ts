import type { Outline, SessionTranscript, StoredSessions, TranscriptEntry, Transcripts } from '@hexagent/ports';
import { StoredSessionService, transcriptOf } from '../src/index.ts';

/** Sessions in memory, and what was done to them. */
export interface Place {
  readonly sessions: StoredSessions;
  readonly stored: Map<string, readonly TranscriptEntry[]>;
  readonly deleted: string[];
  readonly marks: Map<string, boolean>;
}

export function placeWith(entries: Readonly<Record<string, readonly TranscriptEntry[]>>): Place {
  const stored = new Map(Object.entries(entries));
  const place = { stored, deleted: [] as string[], marks: new Map<string, boolean>() };
  let made = 0;
  const ids = {
    uuid: () => {
      made += 1;
      return `new-${made}`;
    },
    request: () => '',
  };
  const transcripts: Transcripts = {
    list: async () => [...stored.keys()].map((id) => sessionOf(id, place)),
    find: async (id) => (stored.has(id) ? sessionOf(id, place) : undefined),
  };
  return { ...place, sessions: new StoredSessionService({ transcripts, ids, now: () => Date.parse('2030-01-01') }) };
}

function sessionOf(sessionId: string, { stored, deleted, marks }: Omit<Place, 'sessions'>): SessionTranscript {
  const entries = stored.get(sessionId) ?? [];
  return {
    ...transcriptOf(entries),
    sessionId,
    lastModified: 5,
    fileSize: undefined,
    dir: undefined,
    belongsTo: (cwd) => cwd !== '/elsewhere',
    outline: async ({ isEnough, newest }): Promise<Outline> => {
      const end = entries.findIndex((entry) => isEnough(entry));
      return {
        first: end === -1 ? entries : entries.slice(0, end + 1),
        newest: entries.filter(({ type, gitBranch }) => newest.includes(type) || gitBranch !== undefined),
      };
    },
    archiveMark: async () => {
      const isArchived = marks.get(sessionId);
      return isArchived === undefined ? undefined : { isArchived, at: Date.parse('2026-01-01') };
    },
    subagents: async () => [],
    async *parts() {},
    subagent: async () => undefined,
    append: async (added) => void stored.set(sessionId, [...entries, ...added]),
    addSession: async (id, added) => void stored.set(id, (await Array.fromAsync(added)).flat()),
    markArchived: async (isArchived) => void marks.set(sessionId, isArchived),
    delete: async () => void deleted.push(sessionId),
  };
}

/** The uuids of the messages in their order. */
export async function uuidsOf(
  entries: readonly TranscriptEntry[],
  options: Parameters<StoredSessions['messages']>[1] = {},
): Promise<string> {
  const messages = placeWith({ a: entries }).sessions.messages('a', options);
  return (await Array.fromAsync(messages)).map(({ uuid }) => uuid).join(' ');
}
