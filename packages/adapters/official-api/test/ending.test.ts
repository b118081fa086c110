import { AgentExitedError, SdkError } from '@hexagent/ports';
import { Inbox } from '@hexagent/streams';
import { describe, expect, it } from 'vitest';
import type { SDKUserMessage } from '../src/index.ts';
import { FakeConversations } from './fake-conversations.ts';
import { collect, result, settle, start, userMessage } from './start.ts';

describe('A query', () => {
  it('yields the very objects the agent sent, in their order, and ends with the agent', async () => {
    const { query, conversation } = start();
    const said = [{ type: 'system', subtype: 'init' }, { type: 'from_the_future' }, result()];
    conversation.say(...said);
    conversation.exit();
    const read = await collect(query);
    expect(read).toHaveLength(3);
    for (const [index, message] of read.entries()) expect(message).toBe(said[index]);
  });

  it('answers several next() in their order, even before the agent is up', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new FakeConversations({ slow: true }));
    const steps = [query.next(), query.next(), query.next()];
    conversations.finishOpening();
    await settle();
    conversation.say({ type: 'a' }, { type: 'b' });
    conversation.answer(result());
    expect((await Promise.all(steps)).map(({ value }) => value?.type)).toEqual(['a', 'b', 'result']);
  });

  it('throws what kept the agent from starting, once', async () => {
    const { query, conversations } = start('Hello', {}, new FakeConversations({ slow: true }));
    const missing = new SdkError('AGENT_NOT_FOUND', 'There is no agent.');
    conversations.failOpening(missing);
    await expect(query.next()).rejects.toBe(missing);
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('that nobody reads causes no unhandled rejection when the agent cannot start', async () => {
    const { conversations } = start('Hello', {}, new FakeConversations({ slow: true }));
    conversations.failOpening(new SdkError('AGENT_NOT_FOUND', 'There is no agent.'));
    await settle(); // vitest fails the run for an unhandled rejection
  });

  it('is its own iterator', () => {
    const { query } = start();
    expect(query[Symbol.asyncIterator]()).toBe(query);
  });
});

describe('An error result', () => {
  const failed = result({ subtype: 'error_max_turns', is_error: true, errors: ['Three rounds were allowed.'] });

  it('#42 is yielded first; when the agent leaves with code 1, its text is thrown then', async () => {
    const { query, conversation } = start();
    conversation.say(failed);
    conversation.exit({ code: 1 });
    await expect(query.next()).resolves.toEqual({ done: false, value: failed });
    await expect(query.next()).rejects.toMatchObject({
      code: 'RESULT_ERROR',
      message: expect.stringContaining('Three rounds were allowed.'),
    });
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('#42 of the API keeps its text, although it calls itself a success', async () => {
    const { query, conversation } = start();
    conversation.say(result({ is_error: true, result: 'API Error: 400' }));
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toThrow(/API Error: 400/);
  });

  it('#42 without any text is named by its subtype', async () => {
    const { query, conversation } = start();
    conversation.say(result({ subtype: 'error_during_execution', is_error: true, errors: [] }));
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toThrow(/error_during_execution/);
  });

  it('#42 is not thrown when the agent leaves in good order', async () => {
    const { query, conversation } = start();
    conversation.say(failed);
    conversation.exit({ code: 0 });
    expect(await collect(query)).toEqual([failed]);
  });

  it('#42 that a later turn made good is forgotten', async () => {
    const { query, conversation } = start();
    conversation.say(failed, result());
    conversation.exit({ code: 0 });
    expect(await collect(query)).toHaveLength(2);
  });

  it('#42 explains an exit that the engine could not explain', async () => {
    const { query, conversation } = start();
    const exit = { code: 1, signal: null, stderr: '', closed: false };
    conversation.say(failed);
    conversation.exit(exit, new AgentExitedError('The agent exited.', { exit }));
    await expect(collect(query)).rejects.toMatchObject({ code: 'RESULT_ERROR' });
  });
});

describe('An agent that dies', () => {
  it.each([
    ['with a code', { code: 3, signal: null }],
    ['by a signal', { code: null, signal: 'SIGKILL' }],
  ])('%s is an error with its last words', async (_, how) => {
    const { query, conversation } = start();
    conversation.say(result());
    conversation.exit({ ...how, stderr: 'out of memory' });
    await expect(collect(query)).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      exitCode: how.code,
      signal: how.signal,
      stderr: 'out of memory',
    });
  });

  it('in the middle of a turn is told as the conversation tells it', async () => {
    const { query, conversation } = start();
    const exit = { code: 1, signal: null, stderr: '', closed: false };
    const lost = new AgentExitedError('The agent exited.', { exit, lost: ['turn 1'] });
    conversation.exit(exit, lost);
    await expect(collect(query)).rejects.toBe(lost);
  });

  it('in a later turn is not explained by the result of an earlier one', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push(userMessage('one'));
    prompt.push(userMessage('two'));
    const { query, conversation } = start(prompt);
    await settle();
    const lost = new AgentExitedError('The agent exited.', {
      exit: { code: 1, signal: null, stderr: '', closed: false },
    });
    conversation.say(result({ is_error: true }));
    conversation.exit({ code: 1 }, lost);
    await expect(collect(query)).rejects.toBe(lost);
  });

  it('without having answered is an error, even when it calls itself fine', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.exit({ code: 0 });
    await expect(collect(query)).rejects.toMatchObject({ code: 'AGENT_EXITED' });
  });

  it('without having been asked anything is none', async () => {
    async function* nothing(): AsyncGenerator<never> {}
    const { query, conversation } = start(nothing());
    await settle();
    conversation.exit({ code: 0 });
    expect(await collect(query)).toEqual([]);
  });
});
