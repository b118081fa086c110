import { mkdtemp, mkdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSdk } from '@hexagent/sdk';
import type { ChatCaller } from '@hexagent/ports';
import {
  chatApprovalsContract,
  chatHistoryContract,
  chatSessionsContract,
  type ChatsFixture,
  type OpenedChats,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { chatKey } from '../src/chat-keys.ts';
import type { ChatOptions } from '../src/create-chat.ts';
import { openStores } from '../src/host-stores.ts';
import { joinChats } from '../src/join-chats.ts';
import { reportTo } from '../src/reporting.ts';
import { ChatAgentsByHand } from './chat-agents.ts';

const ignore = (): void => {};

async function opened(isStored: boolean, hosting: ChatOptions['hosting'] = {}): Promise<OpenedChats> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'hexagent-chat-')));
  const [cwd, configDir] = [path.join(root, 'work'), path.join(root, 'config')];
  await mkdir(cwd);
  const agents = new ChatAgentsByHand({ configDir, cwd });
  const stores = openStores(
    { folder: isStored ? path.join(root, 'chats') : false },
    { name: 'chats', needs: ['outbox', 'directory', 'leases', 'approvals'] },
  );
  const { host, approvals, door } = joinChats(
    {
      stores,
      hosting: { maxLive: 50, ...hosting },
      sdk: createSdk({ transport: agents.transport, onWarning: ignore }),
      session: { cwd, env: { policy: 'exact', set: { CLAUDE_CONFIG_DIR: configDir } } },
    },
    { ...reportTo(ignore), warn: ignore },
  );
  const sessionOf = async (chatId: string, { tenant }: ChatCaller): Promise<string> =>
    (await host.get(chatKey(chatId, tenant)))?.sessionId ?? 'none';
  // A chat that is deleted has no record, and its messages count no more.
  const sessions = new Map<string, string>();
  return {
    ...door,
    async turn(chatId, caller) {
      const sessionId = await sessionOf(chatId, caller);
      sessions.set(chatKey(chatId, caller.tenant), sessionId);
      const turn = await agents.turn(sessionId);
      return {
        write: (text) => turn.write(text),
        end: () => turn.end(),
        die: () => turn.die(),
        async ask(asked) {
          const waits = Promise.withResolvers<string>();
          const off = approvals.subscribe(({ type, record }) => {
            if (type === 'opened' && record.toolUseId === toolUse) waits.resolve(record.id);
          });
          const { toolUse, answer } = turn.ask(asked);
          const id = await waits.promise;
          off();
          return { id, answer };
        },
      };
    },
    received: (chatId, { tenant }) => agents.received.get(sessions.get(chatKey(chatId, tenant)) ?? '') ?? [],
    async close() {
      await host.close();
      await stores.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

const runner = { describe, it };
const fixture = (isStored: boolean): ChatsFixture => ({
  open: () => opened(isStored),
  openSmall: () => opened(isStored, { maxLive: 1, maxWaiting: 1 }),
});

describe.each([
  ['in memory', fixture(false)],
  ['in files', fixture(true)],
])('#66 The chats of the facade, kept %s', (_, chats) => {
  chatSessionsContract(runner, chats);
  chatHistoryContract(runner, chats);
  chatApprovalsContract(runner, chats);
});
