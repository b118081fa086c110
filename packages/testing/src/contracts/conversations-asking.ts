import { assert } from './assert.ts';
import type { Conversation, Transport } from '@hexagent/ports';
import { CountedIds } from '../doubles/counted-ids.ts';
import { HandClock } from '../doubles/hand-clock.ts';
import { linkedTransport } from '../doubles/linked-transport.ts';
import { plainLaunch } from '../doubles/wire.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { begin, converse, type ConversationsFixture, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects } from './matching.ts';

const { refusal, response } = agentFrames;
const wrongNumbers: readonly unknown[] = [NaN, -1, -Infinity, '2000', '', null, {}, [], [5], true, 5n, () => 5];

/** `open()` and `ready`. */
export const opening: ConversationsPromises = {
  'rejects a number that makes no sense with a TypeError that names it, and starts nothing': async (fixture) => {
    const unused = (): Transport => ({ connect: () => assert.fail('Something was started.') });
    const sizes = ['softMarkBytes', 'hardMarkBytes'] as const;
    const wrong = [
      ...sizes.flatMap((name) => [...wrongNumbers, Infinity].map((value) => [name, value] as const)),
      ...wrongNumbers.map((value) => ['initializeTimeoutMs', value] as const),
    ];
    for (const [name, value] of wrong) {
      const opening = begin(fixture, { [name]: value }, { through: unused });
      await assertRejects(opening, { name: 'TypeError', message: new RegExp(name, 'u') });
    }
  },

  'rejects as the transport does when the agent cannot be started': async (fixture) => {
    const cause = new Error('Not there.');
    const through = (): Transport => ({ connect: () => Promise.reject(cause) });
    await assert.rejects(begin(fixture, {}, { through }), (error) => error === cause);
  },

  'resolves when the agent runs; `ready` brings its answer, and the first message does not wait': async (fixture) => {
    const { conversation, agent } = await begin(fixture);
    conversation.send('at once');
    await agent.next('user');
    agent.write(response(await agent.next('initialize'), { commands: [] }));
    assert.deepEqual(await conversation.ready, { commands: [] });
  },

  'continues with an agent that works, though it refuses `initialize` or is late': async (fixture) => {
    const refused = await begin(fixture);
    refused.agent.write(refusal(await refused.agent.next('initialize'), 'refused'));
    await assertRejects(refused.conversation.ready, { code: 'INITIALIZE_FAILED' });
    await worksOn(refused);
    const late = await begin(fixture, { initializeTimeoutMs: 50 });
    late.agent.write(agentFrames.state('idle'));
    await microtasks();
    late.clock.advance(50);
    await assertRejects(late.conversation.ready, { code: 'INITIALIZE_TIMEOUT' });
    await worksOn(late);
  },

  'ends with an agent that is late and has written nothing at all': async (fixture) => {
    const { conversation, agent, clock } = await begin(fixture, { initializeTimeoutMs: 50 });
    const turn = conversation.send('go');
    const idle = conversation.idle();
    clock.advance(50);
    await assertRejects(turn.result, { code: 'INITIALIZE_TIMEOUT' });
    await assertRejects(idle, { code: 'INITIALIZE_TIMEOUT' });
    await agent.ended;
  },

  'waits for `initialize` without limit when asked to': async (fixture) => {
    for (const initializeTimeoutMs of [0, 2 ** 40, Infinity]) {
      const { conversation, agent, clock } = await begin(fixture, { initializeTimeoutMs });
      clock.advance(2 ** 31 - 1);
      await microtasks();
      agent.write(response(await agent.next('initialize'), { a: 1 }));
      assert.deepEqual(await conversation.ready, { a: 1 });
    }
  },
};

async function worksOn({ conversation, agent }: Awaited<ReturnType<typeof begin>>): Promise<void> {
  const turn = conversation.send('go');
  agent.write(...agentFrames.wholeTurn(turn.id, 'done'));
  assertMatches(await turn.result, { text: 'done' });
}

/** `id` and `sessionId`. */
export const naming: ConversationsPromises = {
  'gives each conversation an id of its own, which every observed event names': async (fixture) => {
    const { conversation, agent, observed } = await converse(fixture);
    const turn = conversation.send('a');
    agent.writeLines(['no frame']);
    agent.write(...agentFrames.wholeTurn(turn.id, 'x'));
    await turn.result;
    await conversation.close();
    const kinds = new Set(observed.map(({ kind }) => kind));
    for (const kind of ['sent', 'received', 'turn_started', 'turn_ended', 'bad_line', 'exited'] as const)
      assert.ok(kinds.has(kind), kind);
    assert.deepEqual(new Set(observed.map(({ conversation: id }) => id)), new Set([conversation.id]));
    const ids = (await several(fixture, 2)).map(({ id }) => id);
    assert.equal(new Set(ids).size, 2);
  },

  'has the session id of the launch at once': async (fixture) => {
    const { conversation } = await begin(fixture, { launch: plainLaunch({ sessionId: 'given' }) });
    assert.equal(conversation.sessionId, 'given');
  },

  'has the session id when the first turn begins, and follows the agent from then on': async (fixture) => {
    const ids: unknown[] = [];
    const { conversation, agent } = await converse(fixture);
    conversation.allMessages(() => void ids.push(conversation.sessionId));
    assert.equal(conversation.sessionId, undefined);
    agent.write({ ...agentFrames.init(), session_id: 'first' }, agentFrames.result());
    // `/clear` begins another session.
    agent.write({ ...agentFrames.init(), session_id: 'second' }, agentFrames.result());
    agent.write({ ...agentFrames.init(), session_id: 7 }, agentFrames.result());
    await microtasks();
    assert.deepEqual(ids, ['first', 'first', 'second', 'second', 'second', 'second']);
    agent.exit();
    await conversation.exited;
    assert.equal(conversation.sessionId, 'second');
  },
};

/** Conversations of one `Conversations`. */
async function several(fixture: ConversationsFixture, count: number): Promise<readonly Conversation[]> {
  const conversations = fixture.createConversations({
    transport: linkedTransport().transport,
    clock: new HandClock(),
    ids: new CountedIds(),
  });
  const opening = Array.from({ length: count }, () => conversations.open({ launch: plainLaunch() }));
  return await Promise.all(opening);
}

/** `control()`. */
export const controlling: ConversationsPromises = {
  'writes the request with its fields, and resolves with the answer': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const asked = conversation.control('set_model', { model: 'm' });
    const frame = await agent.next('set_model');
    assert.deepEqual(frame.request, { subtype: 'set_model', model: 'm' });
    agent.write(response(frame, { model: 'm' }));
    assert.deepEqual(await asked, { model: 'm' });
  },

  'rejects with REQUEST_FAILED when the agent refuses': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const asked = conversation.control('set_model');
    agent.write(refusal(await agent.next('set_model'), 'no such model'));
    await assertRejects(asked, { code: 'REQUEST_FAILED', message: /no such model/u });
  },

  'rejects with REQUEST_TIMEOUT after `timeoutMs`, and with an AbortError when its signal aborts': async (fixture) => {
    const { conversation, clock } = await converse(fixture);
    const late = conversation.control('mcp_status', {}, { timeoutMs: 50 });
    clock.advance(50);
    await assertRejects(late, { code: 'REQUEST_TIMEOUT' });
    const controller = new AbortController();
    const withdrawn = conversation.control('mcp_status', {}, { signal: controller.signal });
    controller.abort('enough');
    await assertRejects(withdrawn, { name: 'AbortError' });
  },

  'rejects with a TypeError for an invalid `timeoutMs`, and writes nothing': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    for (const timeoutMs of wrongNumbers) {
      const asked = conversation.control('mcp_status', {}, { timeoutMs: timeoutMs as number });
      await assertRejects(asked, { name: 'TypeError', message: /timeoutMs/u });
    }
    assert.equal(agent.lines.length, 1);
  },

  'rejects with CHANNEL_CLOSED once the input was ended': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    void conversation.finish();
    await agent.ended;
    await assertRejects(conversation.control('mcp_status'), { code: 'CHANNEL_CLOSED' });
  },
};

type Ending = (opened: Awaited<ReturnType<typeof converse>>, controller: AbortController) => void;

const endings: Readonly<Record<string, Ending>> = {
  'when the agent dies': ({ agent }) => agent.exit({ code: 1 }),
  'when the agent cannot be read any more': ({ agent }) => agent.breakOff(new Error('Socket reset.')),
  'when the conversation is closed': ({ conversation }) => void conversation.close(),
  'when the conversation is aborted': (_, controller) => controller.abort(),
  'when something of the agent could not be ended': ({ agent }) => agent.exit({ notEnded: [1] }),
};

/** Makes a promise of every kind, awaits none, and returns what Node finds unhandled. */
async function unhandledOf(fixture: ConversationsFixture, end: Ending): Promise<readonly unknown[]> {
  const unhandled: unknown[] = [];
  const listener = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', listener);
  try {
    const controller = new AbortController();
    const opened = await begin(fixture, { signal: controller.signal });
    const { conversation, clock } = opened;
    const turn = conversation.send('a');
    void conversation.send('b').interrupt();
    void [turn.result, turn.received, turn.interrupt(), conversation.interrupt(), conversation.idle()];
    void [conversation.ready, conversation.control('mcp_status'), conversation.finish()];
    void [conversation.messages.next(), turn[Symbol.asyncIterator]().next()];
    void conversation.turns[Symbol.asyncIterator]().next();
    end(opened, controller);
    await microtasks();
    clock.advance(120_000);
    await conversation.exited;
    void [conversation.control('mcp_status'), conversation.interrupt(), turn.interrupt(), conversation.finish()];
    // Node checks for unhandled rejections between two turns of its loop.
    for (let count = 0; count < 3; count += 1) await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', listener);
  }
  return unhandled;
}

/** Promises that are not awaited are never unhandled rejections. */
export const handling: ConversationsPromises = Object.fromEntries(
  Object.entries(endings).map(([name, end]) => [
    name,
    async (fixture: ConversationsFixture) => assert.deepEqual(await unhandledOf(fixture, end), []),
  ]),
);
