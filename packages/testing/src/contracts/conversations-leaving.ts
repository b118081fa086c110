import { assert } from './assert.ts';
import { SdkError } from '@hexagent/ports';
import { microtasks } from '../doubles/microtasks.ts';
import { agentFrames } from '../doubles/agent-frames.ts';
import { begin, brief, converse, type ConversationsPromises } from './conversations-fixture.ts';
import { assertMatches, assertRejects, assertThrows, collect } from './matching.ts';

const { init, lifecycle, assistantText, state, wholeTurn } = agentFrames;

/** An agent that goes by itself. */
export const leaving: ConversationsPromises = {
  'is reported as a value, once all that it wrote was delivered': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(...wholeTurn(turn.id, 'x'));
    agent.exit({ code: 0, stderr: 'a warning' });
    assertMatches(await conversation.exited, { code: 0, signal: null, stderr: 'a warning', closed: false });
    assert.equal((await collect(turn)).length, 3);
  },

  'while a turn runs rejects the turn with the exit, the end of the error stream and what was lost': async (
    fixture,
  ) => {
    const { conversation, agent } = await converse(fixture);
    const turn = conversation.send('a');
    agent.write(lifecycle(turn.id, 'started'), init(turn.id), assistantText('half'));
    agent.exit({ signal: 'SIGKILL', stderr: 'last words\n' });
    await assertRejects(turn.result, {
      code: 'AGENT_EXITED',
      signal: 'SIGKILL',
      stderr: 'last words\n',
      lost: [`turn ${turn.id}`],
      message: /SIGKILL.*last words/su,
    });
    const seen: string[] = [];
    const reading = (async () => {
      for await (const message of turn) seen.push(brief(message));
    })();
    await assertRejects(reading, { code: 'AGENT_EXITED' });
    assert.deepEqual(seen, ['system/init', 'half']);
  },

  'while a turn runs is a failure with code 0 too, for who reads the whole and who waits': async (fixture) => {
    const read = await converse(fixture);
    const messages = read.conversation.allMessages();
    read.conversation.send('a');
    read.agent.exit({ code: 0 });
    await assertRejects(collect(messages), { code: 'AGENT_EXITED', exitCode: 0 });
    const { conversation, agent } = await converse(fixture);
    conversation.send('a');
    const idle = conversation.idle();
    agent.exit({ code: 0 });
    await assertRejects(idle, { code: 'AGENT_EXITED', exitCode: 0 });
  },

  'with code 0 when nothing is open is no failure': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    const messages = conversation.allMessages();
    agent.exit({ code: 0 });
    assert.deepEqual(await collect(messages), []);
    assert.deepEqual(await collect(conversation.turns), []);
    await conversation.idle();
  },

  'with code 1 is a failure only if the last result was none': async (fixture) => {
    for (const isError of [true, false]) {
      const { conversation, agent } = await converse(fixture);
      const messages = conversation.allMessages();
      const turn = conversation.send('a');
      agent.write(...wholeTurn(turn.id, 'x', { is_error: isError }));
      agent.exit({ code: 1 });
      const reading = collect(messages);
      if (isError) assert.equal((await reading).length, 3);
      else await assertRejects(reading, { code: 'AGENT_EXITED', exitCode: 1, lost: [] });
    }
  },

  'rejects `ready` and what was sent when it had not answered `initialize`': async (fixture) => {
    const { conversation, agent } = await begin(fixture);
    const turn = conversation.send('go');
    agent.exit({ code: 1, stderr: 'boom\n' });
    await assertRejects(conversation.ready, { code: 'AGENT_EXITED', message: /boom/u });
    await assertRejects(turn.result, { code: 'AGENT_EXITED', stderr: 'boom\n' });
  },

  'rejects what is sent into its broken pipe with how it went': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    agent.exit({ code: 1, stderr: 'last words\n' });
    const turn = conversation.send('into a broken pipe');
    await assertRejects(turn.result, { code: 'AGENT_EXITED', exitCode: 1, lost: [`turn ${turn.id}`] });
  },

  'rejects requests that are begun afterwards, with the exit as the cause': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    agent.exit({ signal: 'SIGKILL', stderr: 'last words\n' });
    await conversation.exited;
    const late = { code: 'CONVERSATION_CLOSED', cause: { code: 'AGENT_EXITED', signal: 'SIGKILL' } };
    assertThrows(() => conversation.send('late'), { ...late, message: /killed by SIGKILL/u });
    await assertRejects(conversation.control('mcp_status'), { ...late, message: /mcp_status.*SIGKILL/u });
    assert.equal(await conversation.interrupt(), 'nothing_running');
  },
};

/** An agent that cannot be read any more. */
export const breaking: ConversationsPromises = {
  'gives every reader and everyone who waits the same error, after what came before': async (fixture) => {
    const error = new SdkError('LINE_TOO_LONG', 'The agent wrote a line longer than 10 bytes.');
    const { conversation, agent } = await converse(fixture);
    const [turn, queued] = [conversation.send('a'), conversation.send('b')];
    agent.write(state('running'), assistantText('between turns'), lifecycle(turn.id, 'started'), init(turn.id));
    await microtasks();
    const waiting = [turn.result, queued.result, conversation.idle(), conversation.control('mcp_status')].map(
      (promise: Promise<unknown>) => promise.catch((caught: unknown) => caught),
    );
    const [messages, reading] = [conversation.messages, turn[Symbol.asyncIterator]()];
    agent.breakOff(error);
    for (const caught of await Promise.all(waiting)) assert.equal(caught, error);
    assertMatches(await reading.next(), { value: { subtype: 'init' } });
    await assertRejects(reading.next(), error);
    assertMatches(await messages.next(), { done: false });
    await assertRejects(messages.next(), error);
    assertThrows(() => conversation.send('c'), { code: 'CONVERSATION_CLOSED', cause: error });
  },

  'is reported to who reads the whole after all that came before': async (fixture) => {
    const error = new SdkError('LINE_TOO_LONG', 'Too long.');
    const { conversation, agent } = await converse(fixture);
    const messages = conversation.allMessages();
    agent.write(assistantText('one'), assistantText('two'));
    agent.breakOff(error);
    await conversation.exited;
    assertMatches(await messages.next(), { done: false });
    assertMatches(await messages.next(), { done: false });
    await assertRejects(messages.next(), error);
  },

  'is ended; finish() and close() resolve': async (fixture) => {
    const { conversation, agent } = await converse(fixture);
    agent.breakOff(new Error('Socket reset.'));
    assertMatches(await conversation.finish(), { closed: true });
    await conversation.close();
  },

  'rejects `ready` and an interrupt': async (fixture) => {
    const { conversation, agent } = await begin(fixture);
    const interrupting = conversation.send('a').interrupt();
    const cause = new Error('Socket reset.');
    agent.breakOff(cause);
    await assertRejects(conversation.ready, { code: 'CHANNEL_CLOSED', cause });
    await assertRejects(interrupting, { code: 'CHANNEL_CLOSED', cause });
  },
};
