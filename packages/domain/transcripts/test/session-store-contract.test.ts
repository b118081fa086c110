import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionKey, SessionStore, SessionStoreEntry } from '@hexagent/ports';
import { sessionStoreContract, type SessionStoreFixture } from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { foldSessionSummary, InMemorySessionStore } from '../src/index.ts';
import { FileSessionStore } from './file-session-store.ts';

const whole = { listSessions: true, listSessionSummaries: true, delete: true, listSubkeys: true };

describe('A store of files', () => {
  sessionStoreContract(
    { describe, it },
    {
      async open() {
        const folder = await mkdtemp(join(tmpdir(), 'store-'));
        return {
          store: new FileSessionStore(folder),
          reopen: async () => new FileSessionStore(folder),
          close: () => rm(folder, { recursive: true, force: true }),
        };
      },
      has: { ...whole, reopen: true },
      fold: foldSessionSummary,
    },
  );
});

type Full = Required<SessionStore>;
type Change = (store: InMemorySessionStore) => Partial<Full>;

/** A store that keeps every promise but what the change spoils. */
function spoiled(change: Change, reopen?: (store: SessionStore) => SessionStore): SessionStoreFixture {
  return {
    open() {
      const kept = new InMemorySessionStore();
      const store: Full = {
        append: (key, entries) => kept.append(key, entries),
        load: (key) => kept.load(key),
        listSessions: (project) => kept.listSessions(project),
        listSessionSummaries: (project) => kept.listSessionSummaries(project),
        delete: (key) => kept.delete(key),
        listSubkeys: (key) => kept.listSubkeys(key),
        ...change(kept),
      };
      return { store, reopen: async () => reopen?.(store) ?? store };
    },
    has: { ...whole, reopen: true },
    fold: foldSessionSummary,
  };
}

async function brokenBy(fixture: SessionStoreFixture): Promise<readonly string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const collect = (name: string, body: () => Promise<void>): unknown => cases.push([name, body]);
  const skip = (name: string): never => {
    throw new Error(`${name} was skipped.`);
  };
  sessionStoreContract({ describe: (_, body) => body(), it: Object.assign(collect, { skip }) }, fixture);
  const broken: string[] = [];
  for (const [name, body] of cases) await body().catch(() => broken.push(name));
  return broken;
}

let stamp = 0;
/** So that it is stored although it was stored before. */
const anew = (entry: SessionStoreEntry): SessionStoreEntry => ({ ...entry, uuid: `${entry.uuid} ${(stamp += 1)}` });
/** A plain list for each transcript, without a copy of anything. */
function plainLists(): Pick<Full, 'append' | 'load'> {
  const lists = new Map<string, SessionStoreEntry[]>();
  const listOf = (key: SessionKey): SessionStoreEntry[] => lists.get(JSON.stringify(key)) ?? [];
  return {
    async append(key, entries) {
      const stored = listOf(key);
      stored.push(...entries.filter(({ uuid }) => uuid === undefined || !stored.some((other) => other.uuid === uuid)));
      lists.set(JSON.stringify(key), stored);
    },
    load: async (key) => lists.get(JSON.stringify(key)) ?? null,
  };
}
const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const withoutSubpath = ({ projectKey, sessionId }: SessionKey): SessionKey => ({ projectKey, sessionId });

const faults: readonly (readonly [string, SessionStoreFixture, string])[] = [
  [
    'returns the newest entry first',
    spoiled((kept) => ({ load: async (key) => (await kept.load(key))?.toReversed() ?? null })),
    'returns entries as they were appended, in order',
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
    'returns `null` for a transcript that was never written',
  ],
  [
    'stores everything again',
    spoiled((kept) => ({
      append: (key, entries) => kept.append(key, entries.map(anew)),
      load: async (key) =>
        (await kept.load(key))?.map((entry) => ({ ...entry, uuid: entry.uuid?.replace(/ \d+$/, '') as string })) ??
        null,
    })),
    'stores an entry whose `uuid` it has only once',
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
    'keeps what it was given when the caller changes that, or what it loaded',
  ],
  [
    'keeps one transcript for each session',
    spoiled((kept) => ({
      append: (key, entries) => kept.append(withoutSubpath(key), entries),
      load: (key) => kept.load(withoutSubpath(key)),
    })),
    'keeps projects, sessions and subpaths apart',
  ],
  [
    'joins the names of a key',
    spoiled((kept) => {
      const joined = (key: SessionKey): SessionKey => ({ projectKey: '', sessionId: `${key.sessionId}${key.subpath}` });
      return { append: (key, entries) => kept.append(joined(key), entries), load: (key) => kept.load(joined(key)) };
    }),
    'keeps projects, sessions and subpaths apart',
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
    'looks for uuids before it stores',
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
    'stores an entry once that several append at the same time',
  ],
  [
    'forgets everything at its end',
    spoiled(
      () => ({}),
      () => new InMemorySessionStore(),
    ),
    'has what was stored for a program that starts later',
  ],
  [
    'lists a session at each write',
    spoiled((kept) => ({
      listSessions: async (project) => {
        const sessions = await kept.listSessions(project);
        return [...sessions, ...sessions];
      },
    })),
    'lists each session of a project once',
  ],
  [
    'lists the sessions of all projects',
    spoiled((kept) => ({
      listSessions: async (project) => [
        ...(await kept.listSessions(project)),
        ...(await kept.listSessions(`${project}-2`)),
      ],
    })),
    'lists each session of a project once',
  ],
  [
    'says in seconds when a session was written',
    spoiled((kept) => ({
      listSessions: async (project) =>
        (await kept.listSessions(project)).map(({ sessionId, mtime }) => ({ sessionId, mtime: mtime / 1000 })),
    })),
    'reports in whole milliseconds when a session was written last',
  ],
  [
    'says when a session began',
    spoiled((kept) => {
      const began = new Map<string, number>();
      return {
        async listSessions(project) {
          for (const { sessionId, mtime } of await kept.listSessions(project))
            if (!began.has(sessionId)) began.set(sessionId, mtime);
          return [...began].map(([sessionId, mtime]) => ({ sessionId, mtime }));
        },
      };
    }),
    'reports in whole milliseconds when a session was written last',
  ],
  [
    'lists what only a subagent wrote',
    spoiled((kept) => ({
      async append(key, entries) {
        await kept.append(key, entries);
        await kept.append(withoutSubpath(key), []);
      },
    })),
    'lists no session of which only another transcript was written',
  ],
  [
    'lists a subpath at each write',
    spoiled((kept) => ({
      listSubkeys: async (key) => {
        const subpaths = await kept.listSubkeys(key);
        return [...subpaths, ...subpaths];
      },
    })),
    'lists the subpaths of a session, each once',
  ],
  [
    'lists names instead of subpaths',
    spoiled((kept) => ({
      listSubkeys: async (key) => (await kept.listSubkeys(key)).map((subpath) => subpath.split('/').at(-1) ?? ''),
    })),
    'lists the subpaths of a session, each once',
  ],
  [
    'folds the newest entries alone',
    spoiled((kept) => {
      let newest: readonly SessionStoreEntry[] = [];
      return {
        async append(key, entries) {
          newest = entries;
          await kept.append(key, entries);
        },
        listSessionSummaries: async (project) =>
          (await kept.listSessionSummaries(project)).map((summary) =>
            foldSessionSummary(undefined, summary as never, newest),
          ),
      };
    }),
    'has a summary of each session, folded over all that was appended',
  ],
  [
    'folds what subagents wrote',
    spoiled((kept) => {
      let title: unknown;
      return {
        async append(key, entries) {
          title = entries.at(-1)?.['customTitle'] ?? title;
          await kept.append(key, entries);
        },
        listSessionSummaries: async (project) =>
          (await kept.listSessionSummaries(project)).map((summary) => ({
            ...summary,
            data: { ...summary.data, ...(title === undefined ? {} : { customTitle: title }) },
          })),
      };
    }),
    'counts nothing of other transcripts among its summaries',
  ],
  [
    'gives a summary another time',
    spoiled((kept) => ({
      listSessionSummaries: async (project) =>
        (await kept.listSessionSummaries(project)).map((summary) => ({ ...summary, mtime: summary.mtime + 1 })),
    })),
    'gives its summaries the times of its list',
  ],
  [
    'leaves what belongs to a session that it deletes',
    spoiled((kept) => ({
      async delete(key) {
        const subpaths = key.subpath === undefined ? await kept.listSubkeys(key) : [];
        const entries = await Promise.all(subpaths.map((subpath) => kept.load({ ...key, subpath })));
        await kept.delete(key);
        for (const [index, subpath] of subpaths.entries()) await kept.append({ ...key, subpath }, entries[index] ?? []);
      },
    })),
    'deletes a session with everything that belongs to it, and nothing else',
  ],
  [
    'deletes everything',
    spoiled((kept) => ({ delete: async () => kept.clear() })),
    'deletes a session with everything that belongs to it, and nothing else',
  ],
  [
    'lists what it deleted',
    spoiled((kept) => {
      const ever = new Map<string, number>();
      return {
        async append(key, entries) {
          await kept.append(key, entries);
          for (const { sessionId, mtime } of await kept.listSessions(key.projectKey)) ever.set(sessionId, mtime);
        },
        listSessions: async () => [...ever].map(([sessionId, mtime]) => ({ sessionId, mtime })),
      };
    }),
    'lists nothing of a session that it deleted',
  ],
  [
    'keeps the summary of what it deletes',
    spoiled((kept) => {
      const old: SessionStoreEntry[] = [];
      return {
        async append(key, entries) {
          old.push(...entries);
          await kept.append(key, entries);
        },
        listSessionSummaries: async (project) =>
          (await kept.listSessionSummaries(project)).map((summary) =>
            foldSessionSummary({ ...summary, data: {} }, summary as never, old),
          ),
      };
    }),
    'summarises nothing of a session that it deleted',
  ],
  [
    'remembers the uuids of what it deletes',
    spoiled((kept) => {
      const uuids = new Set<unknown>();
      return {
        async append(key, entries) {
          await kept.append(
            key,
            entries.filter(({ uuid }) => !uuids.has(uuid)),
          );
        },
        async delete(key) {
          for (const { uuid } of (await kept.load(key)) ?? []) uuids.add(uuid);
          await kept.delete(key);
        },
      };
    }),
    'takes what was deleted anew',
  ],
  [
    'deletes a session where a subpath is named',
    spoiled((kept) => ({ delete: (key) => kept.delete(withoutSubpath(key)) })),
    'deletes one transcript where a subpath is named',
  ],
  [
    'refuses to delete what does not exist',
    spoiled((kept) => ({
      async delete(key) {
        if ((await kept.load(key)) === null) throw new Error('Not found.');
        await kept.delete(key);
      },
    })),
    'deletes what does not exist without an error',
  ],
];

describe('The SessionStore contract', () => {
  it.each(faults)('fails a store that %s', async (_, fixture, promise) => {
    expect(await brokenBy(fixture)).toContain(promise);
  });

  it('has a fault for each promise', async () => {
    const promises: string[] = [];
    const it = Object.assign((name: string): unknown => promises.push(name), { skip: () => {} });
    sessionStoreContract(
      { describe: (_, body) => body(), it },
      spoiled(() => ({})),
    );
    expect(promises.filter((name) => !faults.some(([, , promise]) => promise === name))).toEqual([]);
    expect(await brokenBy(spoiled(() => ({})))).toEqual([]);
  });
});
