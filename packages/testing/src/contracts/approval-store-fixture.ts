import { assert } from './assert.ts';
import type { ApprovalAuditEntry, ApprovalRecord, ApprovalStore, Settlement } from '@hexagent/ports';

/** A store under test. */
export interface OpenedApprovalStore {
  readonly store: ApprovalStore;
  /**
   * Ends this one as the end of its process would, and opens another over the same place. Left out where nothing is
   * kept.
   */
  readonly reopen?: (() => Promise<ApprovalStore>) | undefined;
  /** Called at the end of each test. */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** A kind of store under test. What it cannot do is reported as skipped. */
export interface ApprovalStoreFixture {
  /** A store in which nothing is stored yet. */
  readonly open: () => Promise<OpenedApprovalStore> | OpenedApprovalStore;
  /** Whether `open` returns a `reopen`. */
  readonly isDurable: boolean;
}

export type ApprovalPromises = Readonly<
  Record<string, (store: ApprovalStore, opened: OpenedApprovalStore) => Promise<void>>
>;

export async function reopened(reopen: OpenedApprovalStore['reopen']): Promise<ApprovalStore> {
  assert.ok(reopen !== undefined, 'The fixture declares the store durable, and cannot open it again.');
  return await reopen();
}

/** An open record. */
export function approval(id: string, fields: Partial<ApprovalRecord> = {}): ApprovalRecord {
  return {
    id,
    session: 'chat',
    kind: 'permission',
    toolUseId: `toolu_${id}`,
    tool: 'Bash',
    input: { command: `touch ${id}` },
    suggestions: [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }],
    createdAt: 1_700_000_000_000,
    state: 'open',
    ...fields,
  };
}

export function answered(actor: string, fields: Partial<Settlement> = {}): Settlement {
  return { state: 'answered', settledAt: 1_700_000_001_000, answer: { behavior: 'allow' }, actor, ...fields };
}

/** The entry of a record that is settled in this way. */
export function auditEntry(record: ApprovalRecord, settlement: Settlement): ApprovalAuditEntry {
  const { id, session, kind, toolUseId, tool, input, createdAt } = record;
  const { state, settledAt, actor } = settlement;
  return {
    id,
    session,
    kind,
    toolUseId,
    tool,
    input,
    askedAt: createdAt,
    state,
    settledAt,
    ...(actor === undefined ? {} : { actor }),
  };
}

/** Settles by the id of a record that {@link approval} makes. */
export function settle(store: ApprovalStore, id: string, settlement: Settlement): ReturnType<ApprovalStore['settle']> {
  return store.settle(id, settlement, auditEntry(approval(id), settlement));
}

export async function auditOf(store: ApprovalStore, session?: string): Promise<readonly ApprovalAuditEntry[]> {
  const entries: ApprovalAuditEntry[] = [];
  for await (const entry of store.audit(session === undefined ? {} : { session })) entries.push(entry);
  return entries;
}

export async function idsOf(
  store: ApprovalStore,
  filter?: Parameters<ApprovalStore['list']>[0],
): Promise<readonly string[]> {
  return (await store.list(filter)).map(({ id }) => id);
}

/** Changes every part of a value that is not frozen. */
export function spoil(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  for (const [name, member] of Object.entries(value)) {
    spoil(member);
    Reflect.set(value, name, 'spoilt');
  }
}
