import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MemoryApprovalStore } from '@hexagent/approvals';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '@hexagent/hosting';
import { createSdk, type Sdk } from '@hexagent/sdk';
import { microtasks } from '@hexagent/testing';
import { createChat, type Chat, type ChatOptions } from '../src/index.ts';
import { describe, expect, it } from 'vitest';
import { ChatAgentsByHand } from './chat-agents.ts';

/** A request of a page: its status, and what the body has. */
async function call(chat: Chat, where: string, body?: object): Promise<readonly [number, unknown]> {
  const init = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const response = await chat.handle(new Request(`http://localhost/api${where}`, init));
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  if (isJson) return [response.status, await response.json()];
  await response.body?.cancel();
  return [response.status, undefined];
}

const message = { role: 'user', parts: [{ type: 'text', text: 'Go.' }] };
const elsewhere = [503, { error: { code: 'CHAT_ELSEWHERE' } }];

async function twoChats(): Promise<{
  readonly agents: ChatAgentsByHand;
  /** A chat in the folder that all of them share. */
  readonly chatOf: (options?: ChatOptions) => Chat;
  readonly sdk: Sdk;
  readonly remove: () => Promise<void>;
}> {
  const root = await realpath(await mkdtemp(path.join(tmpdir(), 'hexagent-elsewhere-')));
  const [cwd, configDir] = [path.join(root, 'work'), path.join(root, 'config')];
  await mkdir(cwd);
  const agents = new ChatAgentsByHand({ configDir, cwd });
  const sdk = createSdk({ transport: agents.transport, onWarning: () => {} });
  const options = {
    folder: path.join(root, 'chats'),
    sdk,
    session: { cwd, env: { policy: 'exact' as const, set: { CLAUDE_CONFIG_DIR: configDir } } },
    onError: () => {},
  };
  return {
    agents,
    sdk,
    chatOf: (own) => createChat({ ...options, ...own }),
    remove: () => rm(root, { recursive: true, force: true }),
  };
}

describe('A chat that another process has', () => {
  it('is neither shown as idle nor answered there, where its agent would not receive the answer', async () => {
    const { agents, chatOf, remove } = await twoChats();
    const [owner, other] = [chatOf(), chatOf()];
    try {
      const opened = Promise.withResolvers<string>();
      owner.approvals.subscribe(({ record }) => opened.resolve(record.id));
      expect((await call(owner, '/chat', { id: 'chat1', message: { id: 'm1', ...message } }))[0]).toBe(200);
      const [session] = await owner.host.list();
      const turn = await agents.turn(session?.sessionId ?? '');
      const { answer } = turn.ask({ kind: 'permission' });
      const approval = await opened.promise;

      expect(await call(other, `/chat/chat1/approvals/${approval}`, { approved: true })).toMatchObject(elsewhere);
      expect(await call(other, '/chat/chat1/stream')).toMatchObject(elsewhere);
      for (const act of ['interrupt', 'restart', 'discard'])
        expect(await call(other, `/chat/chat1/${act}`, {})).toMatchObject(elsewhere);
      expect(await call(other, '/chat', { id: 'chat1', message: { id: 'm2', ...message } })).toMatchObject([
        409,
        { error: { code: 'CHAT_BUSY' } },
      ]);

      expect(await call(owner, `/chat/chat1/approvals/${approval}`, { approved: true })).toEqual([
        200,
        { settled: true },
      ]);
      expect(await answer).toMatchObject({ approved: true });
      turn.end();
      await expect.poll(() => call(other, '/chat/chat1/stream')).toEqual([204, undefined]);
      expect(await call(other, '/chat/chat1/interrupt', {})).toEqual([200, { interrupted: false }]);
    } finally {
      await Promise.all([owner.close(), other.close()]);
      await remove();
    }
  });

  it('is given a message there, which its process runs and streams', async () => {
    const { agents, chatOf, remove } = await twoChats();
    const [owner, other] = [chatOf(), chatOf({ models: ['haiku'] })];
    const send = (chat: Chat, id: string, more: object = {}): ReturnType<typeof call> =>
      call(chat, '/chat', { id: 'chat1', message: { id, ...message }, ...more });
    try {
      expect((await send(owner, 'm1'))[0]).toBe(200);
      const [session] = await owner.host.list();
      const id = session?.sessionId ?? '';
      (await agents.turn(id)).end();
      await expect.poll(() => call(owner, '/chat/chat1/stream')).toEqual([204, undefined]);

      // The agent there would not have the model that the page chose.
      expect(await send(other, 'm2', { model: 'haiku' })).toMatchObject(elsewhere);
      expect(await send(other, 'm2')).toMatchObject([202, { accepted: true }]);
      const turn = await agents.turn(id);
      expect(await send(other, 'm2')).toMatchObject([202, { accepted: true }]);
      expect(await send(other, 'm3')).toMatchObject([409, { error: { code: 'CHAT_BUSY' } }]);
      expect(await send(other, 'm3', { steer: true })).toMatchObject([202, { accepted: true }]);
      expect((await call(owner, '/chat/chat1/stream'))[0]).toBe(200);
      expect(await call(other, '/chat/chat1/stream')).toMatchObject(elsewhere);
      await expect.poll(() => agents.received.get(id)).toHaveLength(3);
      turn.end();
      await expect.poll(() => call(other, '/chat/chat1/stream')).toEqual([204, undefined]);
      expect(await send(other, 'm2')).toMatchObject([409, { error: { code: 'ALREADY_SENT' } }]);
      expect((await call(other, '/sessions/chat1/messages'))[1]).toMatchObject({ isRunning: false, state: 'idle' });
    } finally {
      await Promise.all([owner.close(), other.close()]);
      await remove();
    }
  });

  it('is taken up with what waits in it when its process ends, and streams here then', async () => {
    const { agents, chatOf, remove } = await twoChats();
    // Its agents are never opened, so messages wait.
    const [owner, other] = [chatOf({ session: () => new Promise(() => {}) }), chatOf()];
    try {
      expect((await call(owner, '/chat', { id: 'chat1', message: { id: 'm1', ...message } }))[0]).toBe(200);
      const [session] = await owner.host.list();
      const id = session?.sessionId ?? '';
      const sent = { id: 'chat1', steer: true, message: { id: 'm2', ...message } };
      expect(await call(other, '/chat', sent)).toMatchObject([202, { accepted: true }]);
      await owner.close();
      const turn = await agents.turn(id);
      expect((await call(other, '/chat/chat1/stream'))[0]).toBe(200);
      await expect.poll(() => agents.received.get(id)).toHaveLength(2);
      turn.end();
      await expect.poll(() => call(other, '/chat/chat1/stream')).toEqual([204, undefined]);
      await expect.poll(() => other.host.list()).toMatchObject([{ id: 'chat1', pending: 0 }]);
    } finally {
      await Promise.all([owner.close(), other.close()]);
      await remove();
    }
  });

  it('is followed anew once it is free: nothing of the turn that ended there is waited for', async () => {
    const { agents, chatOf, sdk, remove } = await twoChats();
    const owner = chatOf();
    const opened: Chat[] = [owner];
    try {
      expect((await call(owner, '/chat', { id: 'chat1', message: { id: 'm1', ...message } }))[0]).toBe(200);
      const [session] = await owner.host.list();
      const first = await agents.turn(session?.sessionId ?? '');
      let fails = 1;
      const openSession: Sdk['openSession'] = (options) =>
        (fails -= 1) >= 0 ? Promise.reject(new Error('This agent does not start.')) : sdk.openSession(options);
      const other = chatOf({ sdk: { openSession }, hosting: { crashes: { firstDelayMs: 1 } } });
      opened.push(other);
      // It found the message of the other process when it started.
      expect(await call(other, '/chat/chat1/stream')).toMatchObject(elsewhere);
      first.end();
      await expect.poll(() => call(other, '/chat/chat1/stream')).toEqual([204, undefined]);
      await owner.close();

      expect((await call(other, '/chat', { id: 'chat1', message: { id: 'm2', ...message } }))[0]).toBe(200);
      (await agents.turn(session?.sessionId ?? '')).end();
      await expect.poll(() => call(other, '/chat/chat1/stream')).toEqual([204, undefined]);
      expect(fails).toBeLessThan(0);
    } finally {
      await Promise.all(opened.map((chat) => chat.close()));
      await remove();
    }
  });
});

describe('A chat that a process left in which a person was asked', () => {
  it('is followed by the one that takes it up, although what was asked is lost', async () => {
    const { agents, chatOf, remove } = await twoChats();
    const stores = {
      outbox: new MemoryOutbox(),
      directory: new MemoryDirectory(),
      leases: new MemoryLeases(),
      approvals: new MemoryApprovalStore(),
    };
    const uuid = crypto.randomUUID();
    const session = {
      id: 'chat1',
      sessionId: crypto.randomUUID(),
      begun: 'no',
      createdAt: 1,
      updatedAt: 1,
      facts: {},
    } as const;
    await stores.directory.put(session, 1);
    await stores.outbox.enqueue({ session: 'chat1', uuid, input: { content: 'Go.' } });
    for (const id of ['one', 'two']) {
      const asked = { id, session: 'chat1', kind: 'permission', toolUseId: 't', tool: 'Bash' } as const;
      await stores.approvals.add({ ...asked, input: {}, suggestions: [], createdAt: 1, state: 'open' });
    }
    const settle = stores.approvals.settle.bind(stores.approvals);
    stores.approvals.settle = async (...args) => {
      await microtasks(300);
      return await settle(...args);
    };
    const chat = chatOf({ stores });
    try {
      const turn = await agents.turn(session.sessionId);
      expect((await call(chat, '/chat/chat1/stream'))[0]).toBe(200);
      expect(await stores.approvals.list()).toMatchObject([{ state: 'lost' }, { state: 'lost' }]);
      turn.end();
      await expect.poll(() => call(chat, '/chat/chat1/stream')).toEqual([204, undefined]);
    } finally {
      await chat.close();
      await remove();
    }
  });
});
