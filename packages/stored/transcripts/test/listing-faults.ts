import type { SessionStoreEntry } from '@hexagent/ports';
import { foldSessionSummary } from '../src/index.ts';
import { type StoreFault, spoiled, withoutSubpath } from './spoiled-store.ts';

/** Faults of lists, summaries and deletion, with the promise that each breaks. */
export const listingFaults: readonly StoreFault[] = [
  [
    'lists a session at each write',
    spoiled((kept) => ({
      listSessions: async (project) => {
        const sessions = await kept.listSessions(project);
        return [...sessions, ...sessions];
      },
    })),
    ['lists each session of a project once', 'gives its summaries the times of its list'],
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
    'reports in seconds when a session was written',
    spoiled((kept) => ({
      listSessions: async (project) =>
        (await kept.listSessions(project)).map(({ sessionId, mtime }) => ({ sessionId, mtime: mtime / 1000 })),
    })),
    ['reports in whole milliseconds when a session was written last', 'gives its summaries the times of its list'],
  ],
  [
    'reports when a session began',
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
    [
      'has a summary of each session, folded over all that was appended',
      'counts nothing of other transcripts among its summaries',
      'gives its summaries the times of its list',
    ],
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
    ['counts nothing of other transcripts among its summaries', 'summarises nothing of a session that it deleted'],
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
    [
      'deletes a session with everything that belongs to it, and nothing else',
      'lists nothing of a session that it deleted',
    ],
  ],
  [
    'deletes everything',
    spoiled((kept) => ({ delete: async () => kept.clear() })),
    [
      'deletes a session with everything that belongs to it, and nothing else',
      'deletes one transcript where a subpath is named',
    ],
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
    ['counts nothing of other transcripts among its summaries', 'summarises nothing of a session that it deleted'],
  ],
  [
    'keeps the uuids of what it deletes',
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
