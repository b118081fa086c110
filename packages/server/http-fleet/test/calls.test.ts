import { Deferred } from '@hexagent/async';
import type { ChatAnswer, ChatCaller, ChatDoor, ErrorCode } from '@hexagent/ports';
import { SdkError } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { reachWorkers } from '../src/index.ts';
import { doorOf, fleet, identity, type Fleet } from './fleet.ts';

const ada: ChatCaller = { name: 'ada' };

async function opened(...[options]: Parameters<typeof fleet>): Promise<Fleet> {
  const open = await fleet(options);
  onTestFinished(open.close);
  return open;
}

/** A worker that notes what it was called with, and the gateway in front of it. */
async function noting(result: (name: string) => unknown): Promise<Fleet & { readonly noted: unknown[][] }> {
  const noted: unknown[][] = [];
  const methods = (...names: readonly string[]): never =>
    Object.fromEntries(
      names.map((name) => [name, async (...given: unknown[]) => (noted.push([name, ...given]), result(name))]),
    ) as never; // a part of a door
  const door: ChatDoor = {
    sessions: methods('start', 'stream', 'interrupt', 'restart', 'discard', 'list', 'rename', 'delete'),
    history: methods('messages'),
    approvals: methods('settle'),
    ...(methods('states') as Pick<ChatDoor, 'states'>),
  };
  return { ...(await opened({ worker: { door } })), noted };
}

const odd = [
  '',
  '\0',
  "'; DROP TABLE sessions; --",
  '$1',
  '__proto__',
  'constructor',
  '../../etc/passwd',
  '\r\nhexagent-stream: e30\r\n',
  '\ud800 half a pair',
  '𝒾𝒹 ☃ \u2028',
  '{"kind":"accepted"}',
  'x'.repeat(1000),
];

describe('Calls of a worker', () => {
  it('pass the headers that the stream of a page has', async () => {
    const headers = {
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
      connection: 'keep-alive',
      'x-a': 'b',
    };
    const { door } = await noting(() => ({
      kind: 'accepted',
      stream: { headers, body: new Blob(['data: 1']).stream() },
    }));
    const started = await door.sessions.start('chat', { id: 'm', content: 'x' }, { steer: false }, ada);
    expect(started).toMatchObject({ kind: 'accepted', stream: { headers } });
    expect('stream' in started && (await new Response(started.stream?.body).text())).toBe('data: 1');
  });

  it.each(odd)('pass each text as it is: %j', async (text) => {
    const { door, noted } = await noting((name) =>
      name === 'settle' ? { kind: 'refused', reason: text } : name === 'start' ? { kind: 'busy' } : true,
    );
    const caller = { name: text, tenant: text };
    const message = {
      id: text,
      content: [
        { type: 'text' as const, text },
        { type: 'text' as const, text: '' },
      ],
    };
    const answer: ChatAnswer = {
      approved: false,
      reason: text,
      answers: { [text]: [text, text], other: text },
      plan: text,
      suggestions: [0, 7],
    };
    expect(
      await door.sessions.start(
        text,
        message,
        { steer: true, continues: false, model: text, permissionMode: 'plan' },
        caller,
      ),
    ).toEqual({ kind: 'busy' });
    expect(await door.sessions.rename(text, text, caller)).toBe(true);
    expect(await door.approvals.settle(text, text, answer, caller)).toEqual({ kind: 'refused', reason: text });
    expect(noted).toEqual([
      ['start', text, message, { steer: true, continues: false, model: text, permissionMode: 'plan' }, caller],
      ['rename', text, text, caller],
      ['settle', text, text, answer, caller],
    ]);
  });

  it('bring each method to the method of the same name', async () => {
    const { door, noted } = await noting((name) =>
      name === 'list' ? [] : ['stream', 'messages'].includes(name) ? undefined : true,
    );
    const { sessions } = door;
    for (const name of ['interrupt', 'restart', 'discard', 'delete'] as const)
      expect(await sessions[name]('chat', ada)).toBe(true);
    expect(await sessions.stream('chat', ada, { after: '7' })).toBeUndefined();
    expect(await sessions.list({ limit: 3, offset: 2 }, ada)).toEqual([]);
    expect(await door.history.messages('chat', { limit: 5, before: 'm' }, ada)).toBeUndefined();
    expect(noted).toEqual([
      ['interrupt', 'chat', ada],
      ['restart', 'chat', ada],
      ['discard', 'chat', ada],
      ['delete', 'chat', ada],
      ['stream', 'chat', ada, { after: '7' }],
      ['list', { limit: 3, offset: 2 }, ada],
      ['messages', 'chat', { limit: 5, before: 'm' }, ada],
    ]);
  });

  it('return the states of those chats that were asked for', async () => {
    const found = JSON.parse('{"a":"idle","b":"running","__proto__":"held","toString":"held"}') as Record<
      string,
      'idle'
    >;
    const { door } = await opened({ worker: { door: doorOf(new HandChats(), { states: async () => found }) } });
    expect(await door.states(['a', 'c', 'constructor'], ada)).toEqual({ a: 'idle' });
    const own = await door.states(['__proto__', 'toString'], ada);
    expect(Object.entries(own)).toEqual([
      ['__proto__', 'held'],
      ['toString', 'held'],
    ]);
    expect(Object.getPrototypeOf(own)).toBe(Object.prototype);
  });

  it('never mix the chats of tenants, however many call at once', async () => {
    const { door, chats } = await opened();
    const tenants = [undefined, '', 'north', 'south', 'north.chat', '__proto__', 'null'];
    const callers = Array.from({ length: 70 }, (_, at) => ({ name: `n${at}`, tenant: tenants[at % tenants.length] }));
    await Promise.all(
      callers.map(async (caller, at) => {
        const started = await door.sessions.start(
          'chat',
          { id: `m${at}`, content: `of ${caller.tenant}` },
          { steer: true },
          caller,
        );
        if ('stream' in started) await started.stream?.body.cancel();
      }),
    );
    for (const tenant of tenants)
      expect(new Set(chats.receivedBy('chat', tenant).map(({ content }) => content))).toEqual(
        new Set([`of ${tenant}`]),
      );
  });

  it.each<[ErrorCode, boolean]>([
    ['HOST_CLOSED', false],
    ['HOST_FULL', false],
    ['SESSION_HELD', false],
    ['SESSION_CRASHING', false],
    ['SESSION_NOT_FOUND', false],
    ['STORE_FAILED', true],
    ['STORE_UNREACHABLE', true],
    ['LEASE_LOST', true],
    ['AGENT_NOT_FOUND', true],
  ])('reject with %s as the chats do', async (code, isReported) => {
    const error = new SdkError(code, 'the reason');
    const { door, errors } = await opened({
      worker: { door: doorOf(new HandChats(), { states: () => Promise.reject(error) }) },
    });
    await expect(door.states([], ada)).rejects.toMatchObject({ code, message: 'the reason' });
    expect(errors).toEqual(isReported ? [error] : []);
  });

  it.each([
    [new TypeError('a mistake'), 'a mistake'],
    [new SdkError('WORKER_UNREACHABLE', 'another one'), 'another one'],
    [undefined, 'undefined'],
    ['', 'an empty text'],
    [Object.assign(new Error('x'.repeat(5000)), { code: 'HOST_CLOSED' }), 'xxx'],
  ])('reject with a plain error where the chats fail otherwise (%#)', async (error, text) => {
    // A program may reject with anything.
    const states = (): Promise<never> => {
      const failed = new Deferred<never>();
      failed.reject(error);
      return failed.promise;
    };
    const { door, errors } = await opened({ worker: { door: doorOf(new HandChats(), { states }) } });
    const caught: unknown = await door.states([], ada).catch((each: unknown) => each);
    expect(caught).toSatisfy((each) => each instanceof Error && !SdkError.is(each));
    expect(String(caught)).toContain(`The worker one failed: ${text}`);
    expect(String(caught).length).toBeLessThan(2100);
    expect(errors).toEqual([error]);
  });

  it('refuse a message that is too long, and take the next one', async () => {
    const limits = { requestBytes: 2_000_000 };
    const { door } = await opened({ worker: { limits: { requestBytes: 5000 } }, gateway: { limits } });
    const send = (content: string) => door.sessions.start('chat', { id: 'one', content }, { steer: false }, ada);
    await expect(send('x'.repeat(6000))).rejects.toThrow('longer than 5000 bytes');
    await expect(send('x'.repeat(1_900_000))).rejects.toThrow(Error);
    await expect(send('x'.repeat(2_100_000))).rejects.toThrow('`limits.requestBytes`');
    expect(await send('x'.repeat(4000))).toMatchObject({ kind: 'accepted' });
  });

  it('refuse an id that is too long, a negative number, and content that nests too deep', async () => {
    const { door } = await opened();
    await expect(door.sessions.interrupt('x'.repeat(1001), ada)).rejects.toThrow('`body.chatId` must be');
    await expect(door.sessions.list({ limit: -1, offset: 0 }, ada)).rejects.toThrow('`body.limit` must be');
    let nested: unknown = 1;
    for (let at = 0; at < 300; at += 1) nested = [nested];
    const content = [{ type: 'text' as const, text: '', nested }];
    await expect(door.sessions.start('chat', { id: 'one', content }, { steer: false }, ada)).rejects.toThrow(
      'more than 200 depth',
    );
  });
});

describe('A worker that is not there', () => {
  it('counts no call that has failed as open', async () => {
    const { address, close } = await fleet();
    await close();
    const gateway = reachWorkers({ identity, limits: { calls: 1 } });
    onTestFinished(gateway.close);
    const door = gateway.reach({ owner: 'one', address });
    for (const _ of [1, 2, 3]) await expect(door.states([], ada)).rejects.toMatchObject({ code: 'WORKER_UNREACHABLE' });
  });

  const at = (address?: string) => async () => {
    const { reach, close } = reachWorkers({ identity: { key: 'x'.repeat(32) } });
    onTestFinished(close);
    return await reach({ owner: 'one', address }).states([], ada);
  };

  it('is unreachable, with the cause', async () => {
    const { address, close } = await fleet();
    await close();
    await expect(at(address)()).rejects.toMatchObject({
      code: 'WORKER_UNREACHABLE',
      message: expect.stringContaining('ECONNREFUSED'),
      cause: { code: 'ECONNREFUSED' },
    });
  });

  it.each([undefined, '', 'https://10.0.0.1:7443', 'https://localhost:7443', 'http://127.0.0.1:7443'])(
    'is not called at %j',
    async (address) =>
      await expect(at(address)()).rejects.toMatchObject({
        code: 'WORKER_UNREACHABLE',
        message: expect.stringContaining('within `ranges`'),
      }),
  );
});
