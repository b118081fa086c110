import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalAuditEntry, ApprovalRecord, Settlement } from '@hexagent/ports';
import type { ApprovalFiles } from '../src/index.ts';

export const record = (id: string): ApprovalRecord => ({
  id,
  session: 's',
  kind: 'permission',
  toolUseId: 't',
  tool: 'Bash',
  input: { command: 'x'.repeat(100) },
  suggestions: [],
  createdAt: 1,
  state: 'open',
});
const answered: Settlement = { state: 'answered', settledAt: 2, answer: { behavior: 'allow' }, actor: 'ada' };
const entry = (id: string): ApprovalAuditEntry => ({
  id,
  session: 's',
  kind: 'permission',
  toolUseId: 't',
  tool: 'Bash',
  input: {},
  askedAt: 1,
  state: 'answered',
  settledAt: 2,
});

export async function segmentsOf(folder: string, store = 'approvals'): Promise<readonly string[]> {
  return (await readdir(join(folder, store))).toSorted();
}

export async function newestOf(folder: string, store = 'approvals'): Promise<string> {
  return join(folder, store, (await segmentsOf(folder, store)).at(-1)!);
}

export async function settledWith(store: ApprovalFiles, id: string): Promise<string> {
  return (await store.settle(id, answered, entry(id))).outcome;
}
