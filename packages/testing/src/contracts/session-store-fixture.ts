import { assert } from './assert.ts';
import type { SessionKey, SessionStore, SessionStoreEntry, SessionSummaryEntry } from '@hexagent/ports';

/** A store under test. */
export interface OpenedStore {
  readonly store: SessionStore;
  /** Another one over the same place, as a program has it that starts later. Left out where nothing is kept. */
  readonly reopen?: (() => Promise<SessionStore>) | undefined;
  /** Called at the end of each test. */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** A kind of store under test. What a store does not have, such as `delete`, is reported as skipped. */
export interface SessionStoreFixture {
  /** A store in which nothing is stored yet. */
  readonly open: () => Promise<OpenedStore> | OpenedStore;
  /** The members beyond `append` and `load` that the store has. */
  readonly has: Readonly<Partial<Record<OptionalMember, boolean>>>;
  /** `foldSessionSummary`, to compare the store's summaries with. */
  readonly fold?: Fold | undefined;
}

export type OptionalMember = 'listSessions' | 'listSessionSummaries' | 'delete' | 'listSubkeys' | 'reopen';

export type Fold = (
  previous: SessionSummaryEntry | undefined,
  key: SessionKey,
  entries: readonly SessionStoreEntry[],
  options?: { readonly mtime?: number },
) => SessionSummaryEntry;

/** The store of one test, with every member that the fixture names. */
export interface StoreUnderTest extends OpenedStore {
  readonly store: Required<SessionStore>;
  readonly reopen: () => Promise<SessionStore>;
  readonly fold: Fold;
}

/** One promise: what the store must have for it, and how it is kept. */
export interface StorePromise {
  readonly needs?: readonly (OptionalMember | 'fold')[];
  readonly keep: (opened: StoreUnderTest) => Promise<void>;
}

export type StorePromises = Readonly<Record<string, StorePromise>>;

export const project = '-home-user-project';
/** Session ids, as the agent makes them. */
export const first = '11111111-2222-4333-8444-555555555555';
export const second = '22222222-3333-4444-8555-666666666666';
export const main: SessionKey = { projectKey: project, sessionId: first };
export const ofSubagent: SessionKey = { ...main, subpath: 'subagents/agent-a1' };
export const other: SessionKey = { projectKey: project, sessionId: second };

/** An entry with a uuid of its own. */
export function entry(number: number, fields: Readonly<Record<string, unknown>> = {}): SessionStoreEntry {
  const uuid = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  return { type: 'user', uuid, timestamp: '2026-01-02T03:04:05.678Z', number, ...fields };
}

/** The uuids of a transcript, in order. */
export async function uuidsOf(store: SessionStore, key: SessionKey): Promise<readonly unknown[]> {
  return (await loaded(store, key)).map(({ uuid }) => uuid);
}

export async function loaded(store: SessionStore, key: SessionKey): Promise<readonly SessionStoreEntry[]> {
  const entries = await store.load(key);
  assert.ok(entries !== null, `${JSON.stringify(key)} was appended to, and is not there`);
  return entries;
}
