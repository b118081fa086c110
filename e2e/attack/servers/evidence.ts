import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ApprovalFiles } from '@hexagent/host-files';
import { approvalOf, messageOf, type ChatAccount } from '../chats/chat-account.ts';
import { answerTo } from '../chats/chat-play.ts';
import { readStates } from '../chats/outbox-states.ts';
import type { StorableMessage } from '../chats/page-messages.ts';

/** What is left when the last server has ended. */
export interface Evidence {
  readonly root: string;
  /** Of the stores. */
  readonly folder: string;
  /** What the agents noted. */
  readonly log: string;
}

/** A line of an agent's notes. */
type AgentNote =
  | { readonly on: 'answered'; readonly toolUse: string; readonly behavior: string }
  | { readonly on: 'ran'; readonly toolUse: string }
  | { readonly on: 'twin' | 'interrupted'; readonly session: string };

/** How the outbox has each message, and how often the transcripts have its answer. */
export async function readOutbox(
  { root, folder }: Evidence,
  messages: readonly StorableMessage[],
  account: ChatAccount,
): Promise<void> {
  const stored = transcriptsIn(path.join(root, 'config/projects'));
  for (const { name } of messages) messageOf(account, name).ran = stored.split(answerTo(name)).length - 1;
  await readStates(folder, messages, account);
}

function transcriptsIn(folder: string): string {
  if (!existsSync(folder)) return '';
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('');
}

/** What the agents received, beside what the store has of it. Returns how many requests were lost with a server. */
export async function readApprovals({ folder, log }: Evidence, account: ChatAccount): Promise<number> {
  const { odd, approvals } = account;
  const notes = readFileSync(log, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as AgentNote); // written by the agent
  const store = new ApprovalFiles({ folder });
  const records = new Map((await store.list()).map((record) => [record.toolUseId, record]));
  const settled: string[] = [];
  for await (const { id } of store.audit()) settled.push(id);
  await store.close();
  if (new Set(settled).size < settled.length) odd.push('an approval was settled twice');
  for (const note of notes) {
    if (note.on === 'twin') odd.push(`two agents drive ${note.session}`);
    if (note.on === 'answered') approvalOf(account, note.toolUse).received.push(note.behavior);
    if (note.on === 'ran' && records.get(note.toolUse)?.answer?.behavior !== 'allow')
      odd.push(`${note.toolUse} ran, which nobody allowed`);
  }
  for (const [toolUse, { taken }] of approvals) {
    const { state, answer } = records.get(toolUse) ?? {};
    if (taken.length > 0 && (state !== 'answered' || answer?.behavior !== taken[0]))
      odd.push(`${toolUse}: the page said ${taken[0]}, stored is ${state} ${answer?.behavior}`);
  }
  const all = [...records.values()];
  for (const { id, state } of all) if (state === 'open') odd.push(`the approval ${id} is still open`);
  return all.filter(({ state }) => state === 'lost').length;
}
