import type { SessionKey } from '@hexagent/ports';
import { InMemorySessionStore } from '../src/index.ts';
import { type StoreFault, anew, plainLists, spoiled, tick, withoutSubpath } from './spoiled-store.ts';

/** Faults of appending and loading. */
export const storingFaults: readonly StoreFault[] = [
  [
    'returns the newest entry first',
    spoiled((kept) => ({ load: async (key) => (await kept.load(key))?.toReversed() ?? null })),
    [
      'returns entries as they were appended, in order',
      'stores an entry whose `uuid` it has only once',
      'takes thousands of entries, and one of two megabytes',
      'keeps projects, sessions and subpaths apart',
      'loses nothing where several append at the same time',
      'stores an entry once that several append at the same time',
      'has what was stored for a program that starts later',
    ],
  ],
  [
    'leaves out what is `null`',
    spoiled((kept) => ({
      load: async (key) =>
        JSON.parse(JSON.stringify(await kept.load(key)), (_, value: unknown) => value ?? undefined) ?? null,
    })),
    'returns entries as they were appended, in order',
  ],
  [
    'returns an empty list for what was never written',
    spoiled((kept) => ({ load: async (key) => (await kept.load(key)) ?? [] })),
    [
      'returns `null` for a transcript that was never written',
      'deletes a session with everything that belongs to it, and nothing else',
      'deletes one transcript where a subpath is named',
    ],
  ],
  [
    'stores everything again',
    spoiled((kept) => ({
      append: (key, entries) => kept.append(key, entries.map(anew)),
      load: async (key) =>
        (await kept.load(key))?.map((entry) => ({ ...entry, uuid: entry.uuid?.replace(/ \d+$/, '') as string })) ??
        null,
    })),
    [
      'returns entries as they were appended, in order',
      'stores an entry whose `uuid` it has only once',
      'stores an entry without a `uuid` each time',
      'stores an entry once that several append at the same time',
      'has what was stored for a program that starts later',
    ],
  ],
  [
    'stores the same text once',
    spoiled((kept) => ({
      async load(key) {
        const lines = (await kept.load(key))?.map((entry) => JSON.stringify(entry));
        return lines ? [...new Set(lines)].map((line) => JSON.parse(line)) : null;
      },
    })),
    'stores an entry without a `uuid` each time',
  ],
  [
    'refuses an empty list',
    spoiled((kept) => ({
      async append(key, entries) {
        if (entries.length === 0) throw new Error('Nothing to insert.');
        await kept.append(key, entries);
      },
    })),
    'takes an empty list',
  ],
  [
    'takes a thousand entries at a time',
    spoiled((kept) => ({ append: (key, entries) => kept.append(key, entries.slice(0, 1000)) })),
    'takes thousands of entries, and one of two megabytes',
  ],
  [
    'keeps what it is given',
    spoiled(plainLists),
    [
      'stores an entry whose `uuid` it has only once',
      'keeps what it was given when the caller changes that, or what it loaded',
      'lists each session of a project once',
      'reports in whole milliseconds when a session was written last',
      'lists the subpaths of a session, each once',
      'has a summary of each session, folded over all that was appended',
      'deletes a session with everything that belongs to it, and nothing else',
      'takes what was deleted anew',
      'deletes one transcript where a subpath is named',
    ],
  ],
  [
    'keeps one transcript for each session',
    spoiled((kept) => ({
      append: (key, entries) => kept.append(withoutSubpath(key), entries),
      load: (key) => kept.load(withoutSubpath(key)),
    })),
    [
      'returns `null` for a transcript that was never written',
      'keeps projects, sessions and subpaths apart',
      'has what was stored for a program that starts later',
      'lists no session of which only another transcript was written',
      'lists the subpaths of a session, each once',
      'counts nothing of other transcripts among its summaries',
      'deletes one transcript where a subpath is named',
    ],
  ],
  [
    'joins the names of a key',
    spoiled((kept) => {
      const joined = (key: SessionKey): SessionKey => ({ projectKey: '', sessionId: `${key.sessionId}${key.subpath}` });
      return { append: (key, entries) => kept.append(joined(key), entries), load: (key) => kept.load(joined(key)) };
    }),
    [
      'keeps projects, sessions and subpaths apart',
      'lists each session of a project once',
      'reports in whole milliseconds when a session was written last',
      'lists the subpaths of a session, each once',
      'has a summary of each session, folded over all that was appended',
      'deletes a session with everything that belongs to it, and nothing else',
      'takes what was deleted anew',
      'deletes one transcript where a subpath is named',
    ],
  ],
  [
    'writes back what it has read',
    spoiled((kept) => ({
      async append(key, entries) {
        const before = (await kept.load(key)) ?? [];
        await tick();
        await kept.delete(key);
        await kept.append(key, [...before, ...entries]);
      },
    })),
    'loses nothing where several append at the same time',
  ],
  [
    'checks uuids before it stores',
    spoiled(() => {
      const { append, load } = plainLists();
      return {
        async append(key, entries) {
          const known = (await load(key))?.map(({ uuid }) => uuid) ?? [];
          const fresh = entries.filter(({ uuid }) => !known.includes(uuid));
          await tick();
          for (const entry of fresh) await append(key, [{ ...entry, uuid: undefined as never }]);
        },
        load,
      };
    }),
    [
      'returns entries as they were appended, in order',
      'stores an entry whose `uuid` it has only once',
      'stores an entry without a `uuid` each time',
      'takes an empty list',
      'takes thousands of entries, and one of two megabytes',
      'keeps what it was given when the caller changes that, or what it loaded',
      'keeps projects, sessions and subpaths apart',
      'loses nothing where several append at the same time',
      'stores an entry once that several append at the same time',
      'has what was stored for a program that starts later',
      'lists each session of a project once',
      'reports in whole milliseconds when a session was written last',
      'lists the subpaths of a session, each once',
      'has a summary of each session, folded over all that was appended',
      'deletes a session with everything that belongs to it, and nothing else',
      'takes what was deleted anew',
      'deletes one transcript where a subpath is named',
    ],
  ],
  [
    'loses everything at its end',
    spoiled(
      () => ({}),
      () => new InMemorySessionStore(),
    ),
    'has what was stored for a program that starts later',
  ],
];
