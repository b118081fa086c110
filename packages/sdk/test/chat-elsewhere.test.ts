import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSdk } from '@hexagent/sdk';
import { createChat, type Chat } from '@hexagent/sdk/chat';
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

describe('A chat that another process has', () => {
  it('is neither shown as idle nor answered for there: its agent would wait for ever', async () => {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'hexagent-elsewhere-')));
    const [cwd, configDir, folder] = ['work', 'config', 'chats'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ]; // three
    await mkdir(cwd);
    const agents = new ChatAgentsByHand({ configDir, cwd });
    const options = {
      folder,
      sdk: createSdk({ transport: agents.transport, onWarning: () => {} }),
      session: { cwd, env: { policy: 'exact' as const, set: { CLAUDE_CONFIG_DIR: configDir } } },
      onError: () => {},
    };
    const [owner, other] = [createChat(options), createChat(options)];
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
      expect(await call(other, '/chat', { id: 'chat1', message: { id: 'm2', ...message } })).toMatchObject(elsewhere);

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
      await rm(root, { recursive: true, force: true });
    }
  });
});
