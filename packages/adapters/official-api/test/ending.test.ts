import { getEventListeners } from 'node:events';
import { remedies, SdkError, type ErrorCode } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import { describe, expect, it } from 'vitest';
import type { SDKUserMessage } from '../src/official.ts';
import { PlayedConversations } from './played-conversations.ts';
import { collect, result, settle, start, userMessage } from './start.ts';

describe('A query', () => {
  it('yields the very objects the agent sent, in their order, and ends with the agent', async () => {
    const { query, conversation } = start();
    const said = [{ type: 'system', subtype: 'init' }, { type: 'from_the_future' }];
    const done = result();
    await settle();
    conversation.say(...said);
    conversation.answer(done);
    conversation.exit();
    const read = await collect(query);
    expect(read).toHaveLength(3);
    expect(read).toEqual([...said, done]);
    // The conversation's own objects, not copies of them.
    for (const [index, message] of read.entries()) expect(message).toBe(conversation.arrived[index]);
  });

  it('answers several next() in their order, even before the agent is up', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const steps = [query.next(), query.next(), query.next()];
    conversations.finishOpening();
    await settle();
    conversation.say({ type: 'a' }, { type: 'b' });
    conversation.answer(result());
    expect((await Promise.all(steps)).map(({ value }) => value?.type)).toEqual(['a', 'b', 'result']);
  });

  it('throws what kept the agent from starting, once', async () => {
    const { query, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const missing = new SdkError('AGENT_NOT_FOUND', 'There is no agent.');
    conversations.failOpening(missing);
    await expect(query.next()).rejects.toBe(missing);
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it.each<readonly [string, Parameters<typeof start>[0]]>([
    ['a text', 'Hello'],
    [
      'a stream',
      (async function* () {
        yield userMessage('Hello');
      })(),
    ],
  ])('throws where the agent left in order before its prompt could be sent: %s', async (_, prompt) => {
    const conversations = new PlayedConversations({ slow: true });
    const { query, conversation } = start(prompt, {}, conversations);
    conversation.exit({ code: 0 });
    conversations.finishOpening();
    await expect(query.next()).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: expect.stringContaining('It left without an answer.'),
    });
  });

  it('that is not read causes no unhandled rejection when the agent cannot start', async () => {
    const { conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    conversations.failOpening(new SdkError('AGENT_NOT_FOUND', 'There is no agent.'));
    await settle(); // vitest fails the run for an unhandled rejection
  });

  it.each([1, 2, 3])('whose agent dies while %i next() wait causes no unhandled rejection', async (count) => {
    const { query, conversation } = start();
    await settle();
    void query.next();
    conversation.say({ type: 'read' });
    await settle();
    for (let waiting = 0; waiting < count; waiting += 1) void query.next();
    conversation.exit({ code: 3 });
    await settle(); // vitest fails the run for an unhandled rejection
  });

  it('is its own iterator', () => {
    const { query } = start();
    expect(query[Symbol.asyncIterator]()).toBe(query);
  });
});

const failed = result({ subtype: 'error_max_turns', is_error: true, errors: ['Three rounds were allowed.'] });

describe('An error result', () => {
  it('#42 is yielded first; when the agent leaves with code 1, its text is thrown then, once', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say(failed);
    conversation.exit({ code: 1, stderr: 'last words' });
    await expect(query.next()).resolves.toEqual({ done: false, value: failed });
    await expect(query.next()).rejects.toMatchObject({
      code: 'RESULT_ERROR',
      message: 'Claude Code returned an error result: Three rounds were allowed.',
      errorClass: 'error_result',
      cause: { exitCode: 1, stderr: 'last words' },
    });
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it.each([
    ['code 2', { code: 2 }],
    ['code 137', { code: 137 }],
    ['code 143', { code: 143 }],
    ['a signal', { code: null, signal: 'SIGKILL' }],
  ])('#42 keeps its text when the agent leaves with %s', async (_, exit) => {
    const { query, conversation } = start();
    await settle();
    conversation.say(failed);
    conversation.exit(exit);
    await expect(collect(query)).rejects.toThrow(/^Claude Code returned an error result: Three rounds were allowed\.$/);
  });

  it('#42 of the API keeps its text, although it calls itself a success', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say(result({ is_error: true, result: 'API Error: 400' }));
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toThrow(/^Claude Code returned an error result: API Error: 400$/);
  });

  it('with the reason why the agent could not start passes that on', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say(
      result({
        subtype: 'error_during_execution',
        is_error: true,
        errors: ['No.'],
        startup_failure_reason: 'bypass_root',
      }),
    );
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toMatchObject({ startupFailureReason: 'bypass_root' });
  });

  it.each([
    ['several texts', ['one ', '', 'two'], 'one; two'],
    ['a text that is no list', 'one', 'one'],
    ['entries that are no text', [1, null, 'x'], '1; x'],
  ])('#42 with %s is reported nevertheless', async (_, errors, text) => {
    const { query, conversation } = start();
    await settle();
    conversation.say(result({ subtype: 'error_during_execution', is_error: true, errors }));
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toMatchObject({ message: `Claude Code returned an error result: ${text}` });
  });

  it.each([
    ['an empty list', { subtype: 'error_during_execution', errors: [] }],
    ['no list', { subtype: 'error_during_execution', errors: undefined }],
    ['a `null` list', { subtype: 'error_during_execution', errors: null }],
    ['no text', { subtype: 'success', result: undefined }],
  ])('#42 with %s is reported as the exit, with its subtype, once, and leaves no listener', async (_, fields) => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    await settle();
    conversation.say(result({ is_error: true, ...fields }));
    conversation.exit({ code: 1 });
    await query.next();
    await expect(query.next()).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: expect.stringMatching(new RegExp(`^Claude Code process exited with code 1\\b.*${fields.subtype}`)),
    });
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
    expect(getEventListeners(abortController.signal, 'abort')).toHaveLength(0);
  });

  it('#42 is not thrown when the agent leaves in good order', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.answer(failed);
    conversation.exit({ code: 0 });
    expect(await collect(query)).toEqual([failed]);
  });

  it('#42 that a later turn made good is forgotten', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say(failed, result());
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toMatchObject({ code: 'AGENT_EXITED' });
  });

  it.each([
    [{ type: 'system', subtype: 'init' }],
    [{ type: 'assistant' }],
    [{ type: 'stream_event' }],
    [{ type: 'user' }],
  ])('does not explain an exit in a later turn, which %j has begun', async (begins) => {
    const { query, conversation } = start();
    await settle();
    conversation.say(failed, begins);
    conversation.exit({ code: 1 });
    await expect(collect(query)).rejects.toThrow(/^Claude Code process exited with code 1\b/);
  });

  it('#42 explains an exit that the engine could not explain', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say(failed);
    await settle();
    conversation.exit({ code: 2 });
    const unexplained = { code: 'AGENT_EXITED', exitCode: 2 };
    await expect(collect(query)).rejects.toMatchObject({ code: 'RESULT_ERROR', cause: { cause: unexplained } });
  });
});

describe('An agent that dies', () => {
  it.each([
    ['with a code', { code: 3, signal: null }, 'exited with code 3', 'process_exited_nonzero'],
    ['by a signal', { code: null, signal: 'SIGKILL' }, 'terminated by signal SIGKILL', 'process_killed_by_signal'],
  ])('%s is an error in the official words, with its last words', async (_, how, words, errorClass) => {
    const { query, conversation } = start();
    await settle();
    conversation.answer(result());
    await settle();
    conversation.exit({ ...how, stderr: 'warning\nout of memory\n' });
    await expect(collect(query)).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      message: `Claude Code process ${words}. stderr: warning\nout of memory`,
      exitCode: how.code,
      signal: how.signal,
      stderr: 'warning\nout of memory\n',
      errorClass,
    });
  });

  it('is reported with the end of a long error stream, cut at a line', async () => {
    const { query, conversation } = start();
    await settle();
    const lines = Array.from({ length: 500 }, (_, index) => `line ${index}`);
    conversation.exit({ code: 3, stderr: lines.join('\n') });
    const error: unknown = await collect(query).catch((thrown: unknown) => thrown);
    const { message } = error as Error;
    expect(message).toMatch(/stderr: line \d+\nline /);
    expect(message).toMatch(/line 499\nIt had not answered yet\.$/);
    expect(message.length).toBeLessThan(2200);
  });

  it('is reported with what its last words mean', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.exit({ code: 1, stderr: 'error: unknown option --frob' });
    await expect(collect(query)).rejects.toThrow(/stderr: error: unknown option --frob\n.*It does not support a flag/);
  });

  it('in the middle of a turn names what was lost, and keeps the error of the conversation', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.exit({ code: 1 });
    const lost = [`turn ${conversation.ids[0]}`];
    await expect(collect(query)).rejects.toMatchObject({ lost, cause: { code: 'AGENT_EXITED', lost } });
  });

  it('without having answered is an error, even when it calls itself fine', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.exit({ code: 0 });
    await expect(collect(query)).rejects.toMatchObject({ code: 'AGENT_EXITED' });
  });

  it('without having answered a later message is an error, even when it calls itself fine', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push(userMessage('one'));
    prompt.push(userMessage('two'));
    const { query, conversation } = start(prompt);
    await settle();
    conversation.answer(result());
    conversation.exit({ code: 0 });
    await expect(collect(query)).rejects.toMatchObject({
      code: 'AGENT_EXITED',
      exitCode: 0,
      lost: [`turn ${conversation.ids[1]}`],
    });
  });

  it('before it was asked anything is not an error', async () => {
    async function* nothing(): AsyncGenerator<never> {}
    const { query, conversation } = start(nothing());
    await settle();
    conversation.exit({ code: 0 });
    expect(await collect(query)).toEqual([]);
  });
});

describe('initializationResult()', () => {
  it('fails as the loop does when the agent leaves with an error result, also when it is asked first', async () => {
    const { query, conversation } = start();
    conversation.answers.set('initialize', null);
    const asked = query.initializationResult();
    await settle();
    conversation.say(failed);
    conversation.exit({ code: 1, stderr: 'No conversation found with session ID: x' });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: 'Claude Code returned an error result: Three rounds were allowed.' });
    await expect(collect(query)).rejects.toBe(error);
    await expect(query.supportedModels()).rejects.toBe(error);
  });

  it("fails with the agent's own text when it refuses the set-up", async () => {
    const { query, conversation } = start();
    conversation.refusals.set('initialize', { error: 'Bad hooks.', error_code: 'x' });
    await expect(query.initializationResult()).rejects.toMatchObject({
      code: 'INITIALIZE_FAILED',
      message: 'Bad hooks.',
      errorCode: 'x',
    });
  });
});

describe('An error of the drop-in', () => {
  it.each([
    [
      { pathToClaudeCodeExecutable: '/nope' },
      'the option `executable`.',
      'Claude Code native binary not found at /nope. the option `pathToClaudeCodeExecutable`.',
    ],
    [{ executable: 'bun' as const }, 'The option `interpreter` is', 'The option `executable` is'],
    [{ executableArgs: ['x'] }, 'The option `interpreterArgs` is', 'The option `executableArgs` is'],
    [{}, 'the option `executable`.', 'the option `executable`.'],
  ])('names the options of the drop-in: %j', async (options, message, expected) => {
    const { query, conversations } = start('Hello', options, new PlayedConversations({ slow: true }));
    conversations.failOpening(new SdkError('AGENT_NOT_FOUND', message));
    await expect(query.next()).rejects.toMatchObject({ message: expected });
  });

  // Without a deadline of its own no method of a query can run into one, and no message of it can be discarded. None waits
  // for servers.
  const unreachable = ['REQUEST_TIMEOUT', 'MESSAGES_DISCARDED', 'MCP_NOT_READY'];
  const reachable = Object.keys(remedies).filter((code) => !unreachable.includes(code));

  it.each(reachable)('%s names no option in its remedy that the drop-in does not have', async (code) => {
    const { query, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    conversations.failOpening(new SdkError(code as ErrorCode, 'It failed.'));
    const error: unknown = await query.next().catch((thrown: unknown) => thrown);
    expect((error as SdkError).remedy).not.toBe('');
    expect((error as SdkError).remedy).not.toMatch(
      /`(?:executable|interpreter|approver|signal|onStderr|initializeTimeoutMs|timeoutMs|softMarkBytes|hardMarkBytes)`/,
    );
  });
});
