import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { MemoryApprovalStore } from '@hexagent/approvals';
import { createSdk } from '@hexagent/sdk';
import { InMemorySessionStore } from '@hexagent/sdk/claude-agent-sdk';
import { createChat, createSessionHost, type Chat, type ChatIdentity, type ChatOptions } from '../src/index.ts';

const sdk = (): ReturnType<typeof createSdk> =>
  createSdk({ transport: linkedTransport(scriptedAgent({ turns: ['forty-two', 'forty-three'] })).transport });

const crashes = { firstDelayMs: 1, longestDelayMs: 1, maxCrashes: 1 };
const chatOf = (session: ChatOptions['session'], onError: (error: unknown) => void): Chat =>
  createChat({ sdk: sdk(), folder: false, hosting: { crashes }, onError, ...(session && { session }) });

const address = (path: string): string => `http://localhost/api${path}`;

async function say(chat: Chat, id: string): Promise<string> {
  const message = { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Go' }] };
  const headers = { 'content-type': 'application/json' };
  const request = { method: 'POST', headers, body: JSON.stringify({ id, message }) };
  return await (await chat.handle(new Request(address('/chat'), request))).text();
}

describe('A function for the options of a chat', () => {
  it.each<readonly [unknown, string]>([
    [undefined, 'undefined'],
    [null, 'null'],
    ['here', 'a string'],
    [['here'], 'a list'],
  ])('that returns %j starts no agent, and is named', async (found, kind) => {
    const errors: unknown[] = [];
    await using chat = chatOf(
      () => found as object, // an untyped program may return any value
      (error) => errors.push(error),
    );
    expect(await say(chat, 'one')).not.toContain('forty-two');
    const expected = new TypeError(`\`session\` must return options of openSession(), not ${kind}.`);
    expect(errors[0]).toEqual(expected);
    await using host = createSessionHost({ sdk: sdk(), session: () => found as object, crashes, folder: false });
    await host.create('one');
    const crashed = (async (): Promise<unknown> => {
      for await (const event of host.observe('one')) if (event.kind === 'crashed') return event.error;
      return undefined;
    })();
    (await host.send('one', 'Go')).done.catch(() => {});
    expect(await crashed).toEqual(expected);
  });

  it.each([[null], [5], ['here'], [[]]])('is not %j', (session) => {
    const expected = expect.objectContaining({
      name: 'TypeError',
      message: expect.stringContaining('`session` must be'),
    });
    expect(() => createChat({ folder: false, session: session as object })).toThrow(expected);
    expect(() => createSessionHost({ folder: false, session: session as object })).toThrow(expected);
  });

  it('that fails for one chat hides no other, and keeps that chat until it can be deleted as a whole', async () => {
    const errors: unknown[] = [];
    let isBroken = false;
    const failure = new Error('There is no such project.');
    const session = ({ id }: { readonly id: string }): object => {
      if (isBroken && id === 'broken') throw failure;
      return {};
    };
    await using chat = chatOf(session, (error) => errors.push(error));
    for (const id of ['fine', 'broken']) expect(await say(chat, id)).toContain('forty-two');
    isBroken = true;
    const listed = async (): Promise<unknown> => (await chat.handle(new Request(address('/sessions')))).json();
    expect(await listed()).toMatchObject({ sessions: [{ id: 'broken' }, { id: 'fine' }] });
    expect(errors).toEqual([failure]);
    const remove = async (): Promise<number> =>
      (await chat.handle(new Request(address('/sessions/broken'), { method: 'DELETE' }))).status;
    expect(await remove()).toBe(500);
    expect(await listed()).toMatchObject({ sessions: [{ id: 'broken' }, { id: 'fine' }] });
    isBroken = false;
    expect(await remove()).toBe(204);
    expect(await listed()).toMatchObject({ sessions: [{ id: 'fine' }] });
  });
});

describe('A chat whose transcript is kept in a store', () => {
  it('has its title and its history from there, and gives a fence to its agent alone', async () => {
    const store = new InMemorySessionStore();
    const [asked, fences]: [ChatIdentity[], unknown[]] = [[], []];
    const approvals = new MemoryApprovalStore();
    approvals.add = async (_, fence) => void fences.push(fence);
    const { transport } = linkedTransport(
      scriptedAgent({ turns: [[reply.tool('Bash', { command: 'ls' }, { asks: true })]] }),
    );
    await using chat = createChat({
      sdk: createSdk({ transport }),
      folder: false,
      stores: { approvals },
      session: (identity) => {
        asked.push(identity);
        return { store, cwd: '/work' };
      },
    });
    void say(chat, 'one');
    await expect.poll(() => fences.length).toBe(1);
    const identity = { id: 'one', tenant: undefined, session: 'one' };
    expect(asked).toEqual([{ ...identity, fence: expect.any(Number) }]);
    expect(fences).toEqual([asked[0]?.fence]);
    const { sessionId = '' } = (await chat.host.get('one')) ?? {};
    const line = { uuid: '00000000-0000-4000-8000-000000000001', parentUuid: null, isSidechain: false, sessionId };
    const message = { role: 'user', content: 'Which tests are slow?' };
    await store.append({ projectKey: '-work', sessionId }, [
      { type: 'user', ...line, message, timestamp: '2026-01-02T03:04:05.678Z' },
    ]);
    const got = async (path: string): Promise<unknown> => (await chat.handle(new Request(address(path)))).json();
    expect(await got('/sessions')).toMatchObject({ sessions: [{ id: 'one', title: 'Which tests are slow?' }] });
    expect(await got('/sessions/one/messages')).toMatchObject({ messages: [{ id: line.uuid }, {}] });
    expect(asked.slice(1)).toEqual([
      { ...identity, fence: undefined },
      { ...identity, fence: undefined },
    ]);
  });
});

describe('A chat that several pages delete at once', () => {
  it('is gone for each of them, which is not a failure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'hexagent-deleted-'));
    const errors: unknown[] = [];
    {
      await using chat = createChat({ sdk: sdk(), folder, onError: (error) => errors.push(error) });
      expect(await say(chat, 'one')).toContain('forty-two');
      const remove = async (): Promise<number> =>
        (await chat.handle(new Request(address('/sessions/one'), { method: 'DELETE' }))).status;
      const statuses = await Promise.all(Array.from({ length: 10 }, remove));
      expect([statuses.includes(204), statuses.filter((status) => status !== 204 && status !== 404)]).toEqual([
        true,
        [],
      ]);
    }
    await rm(folder, { recursive: true });
    expect(errors).toEqual([]);
  });
});
