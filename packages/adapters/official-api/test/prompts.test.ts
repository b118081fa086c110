import { SdkError } from '@hexagent/ports';
import { Deferred, Inbox } from '@hexagent/async';
import { agentFrames } from '@hexagent/testing';
import { describe, expect, it, vi } from 'vitest';
import type { SDKUserMessage } from '../src/official.ts';
import { PlayedConversations } from './played-conversations.ts';
import { collect, result, settle, start, userMessage } from './start.ts';

describe('A text prompt', () => {
  it('is sent as one block of text', async () => {
    const { conversation } = start('Which tests are slow?');
    await settle();
    expect(conversation.sent).toEqual([{ content: [{ type: 'text', text: 'Which tests are slow?' }] }]);
  });

  it('waits for the agent to be up', async () => {
    const { conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    await settle();
    expect(conversation.sent).toEqual([]);
    conversations.finishOpening();
    await settle();
    expect(conversation.sent).toHaveLength(1);
  });

  it('leaves the input open until its first answer, so that more can be sent and asked meanwhile', async () => {
    const { conversation } = start();
    await settle();
    expect(conversation.finished).toBe(0);
    conversation.answer(result());
    await settle();
    expect(conversation.finished).toBe(1);
  });

  it('may be followed by a stream, whose end is waited for', async () => {
    const { conversation, query } = start();
    const more = new Inbox<SDKUserMessage>();
    const streamed = query.streamInput(more);
    await settle();
    conversation.answer(result());
    more.push(userMessage('And why?'));
    await settle();
    expect(conversation.sent.map(({ content }) => content)).toEqual([[{ type: 'text', text: 'Hello' }], 'And why?']);
    conversation.answer(result(), 1);
    await settle();
    expect(conversation.finished).toBe(0);
    more.end();
    await streamed;
    expect(conversation.finished).toBe(1);
  });

  it('must be text', () => {
    expect(() => start(JSON.parse('42'))).toThrow(TypeError);
  });
});

describe('A stream of messages', () => {
  it('#9 is sent in its order, whether it was filled before or while the query runs', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push(userMessage('one'));
    const { conversation } = start(prompt);
    prompt.push(userMessage('two'));
    await settle();
    prompt.push(userMessage('three'));
    await settle();
    expect(conversation.sent.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  });

  it('#9 loses nothing that was pushed just before its end', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    const { conversation } = start(prompt);
    await settle();
    prompt.push(userMessage('last words'));
    prompt.end();
    await settle();
    expect(conversation.sent).toHaveLength(1);
  });

  it('#1 keeps the input open until what it sent was answered, though it ended at once', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push(userMessage('one'));
    prompt.end();
    const { conversation } = start(prompt);
    await settle();
    expect(conversation.finished).toBe(0);
    conversation.answer(result());
    await settle();
    expect(conversation.finished).toBe(1);
  });

  it('keeps the input open until it ends', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    const { conversation } = start(prompt);
    prompt.push(userMessage('one'));
    await settle();
    conversation.answer(result());
    await settle();
    expect(conversation.finished).toBe(0);
  });

  it('takes its id, its priority and every other field along', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    const { conversation } = start(prompt);
    const uuid = '00000000-0000-4000-8000-000000000001';
    prompt.push(userMessage('context', { uuid, priority: 'later', shouldQuery: false, session_id: 's' }));
    await settle();
    expect(conversation.sent).toEqual([
      {
        content: 'context',
        uuid,
        priority: 'later',
        fields: { parent_tool_use_id: null, shouldQuery: false, session_id: 's' },
      },
    ]);
  });

  it("ends the query with its own error, and the agent's turn with it", async () => {
    const trouble = new Error('The queue is gone.');
    async function* prompt(): AsyncGenerator<SDKUserMessage> {
      yield userMessage('one');
      throw trouble;
    }
    const { conversation, query } = start(prompt());
    await expect(collect(query)).rejects.toBe(trouble);
    expect(conversation.closings).toBe(1);
  });

  it('is refused a message that is not a user’s, since the agent would die of it, and left', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push({ ...userMessage('I say'), message: { role: 'assistant', content: 'I say' } });
    await expect(collect(start(prompt).query)).rejects.toThrow(/"assistant"/);
    expect(prompt.ended).toBe(true);
  });

  it('is not listened to any more once the query has ended', async () => {
    const late = new Deferred<IteratorResult<SDKUserMessage>>();
    const { query, conversation } = start({ [Symbol.asyncIterator]: () => ({ next: () => late.promise }) });
    await settle();
    query.close();
    late.resolve({ done: false, value: userMessage('too late') });
    await settle();
    expect(conversation.sent).toEqual([]);
  });

  it('reports a message that cannot be written', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    prompt.push(userMessage('x', { tool_use_result: 1n }));
    await expect(collect(start(prompt).query)).rejects.toMatchObject({ code: 'FRAME_INVALID' });
  });

  it('is left when the loop is left, so that it can free what it holds', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    const { query } = start(prompt);
    await settle();
    await query.return();
    expect(prompt.ended).toBe(true);
  });

  it('may fail when it is returned from', async () => {
    const stubborn = {
      next: () => new Promise<never>(() => {}),
      return: () => {
        throw new Error('It will not be left.');
      },
    };
    const { query } = start({ [Symbol.asyncIterator]: () => stubborn });
    await settle();
    query.close();
    expect(await collect(query)).toEqual([]);
  });

  it('that continues after the agent has left does not hide its exit', async () => {
    const prompt = new Inbox<SDKUserMessage>();
    const { query, conversation, conversations } = start(prompt);
    await settle();
    conversations.real?.finish().catch(() => {}); // from here on what is sent is refused
    prompt.push(userMessage('too late'));
    await settle();
    conversation.exit({ code: 3 });
    await expect(collect(query)).rejects.toThrow(/exited with code 3/);
  });
});

describe('streamInput()', () => {
  it.each([undefined, 'more', 5, Promise.resolve([])])('rejects with what it takes for %o', async (stream) => {
    const { query } = start();
    const streamed = query.streamInput(stream as unknown as AsyncIterable<never>); // a program without types
    await expect(streamed).rejects.toThrow('An iterable of user messages is needed');
    query.close();
  });

  it('resolves when the agent has the last message', async () => {
    const { conversation, query } = start();
    let isResolved = false;
    const streamed = query.streamInput(only('more')).then(() => (isResolved = true));
    await settle();
    expect(conversation.sent).toHaveLength(2);
    expect(isResolved).toBe(false);
    conversation.confirm(1);
    await streamed;
  });

  it('rejects when the agent dies without the message, as the loop does', async () => {
    const { conversation, query } = start();
    const streamed = query.streamInput(only('more'));
    await settle();
    conversation.exit({ code: 3 });
    const error: unknown = await streamed.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ exitCode: 3 });
    await expect(collect(query)).rejects.toBe(error);
  });

  it('rejects a message that comes after the input has ended, and reads none of its stream', async () => {
    const { conversation, query } = start();
    await settle();
    conversation.answer(result());
    await settle();
    const late = new Inbox<SDKUserMessage>();
    late.push(userMessage('late'));
    await expect(query.streamInput(late)).rejects.toMatchObject({
      code: 'CONVERSATION_CLOSED',
      message: expect.stringContaining('ProcessTransport is not ready for writing'),
    });
    expect((await late.next()).value).toMatchObject({ message: { content: 'late' } });
  });

  it('rejects when the query ends before its stream', async () => {
    const { query } = start();
    const streamed = query.streamInput(forever());
    await settle();
    query.close();
    await expect(streamed).rejects.toThrow('Query closed before response received');
  });

  it('gives the error of its stream to its caller, untouched, and the query continues', async () => {
    const { conversation, query } = start();
    const trouble = new SdkError('REQUEST_FAILED', 'Of another query.');
    const broken = new Inbox<SDKUserMessage>();
    broken.end({ error: trouble });
    await expect(query.streamInput(broken)).rejects.toBe(trouble);
    conversation.answer(result());
    conversation.exit();
    expect(await collect(query)).toHaveLength(1);
  });

  it('after the result continues with the conversation while callbacks keep the input open', async () => {
    const canUseTool = async (): Promise<{ behavior: 'allow' }> => ({ behavior: 'allow' });
    const { conversation, query } = start('Hello', { canUseTool });
    await settle();
    conversation.say(state('running'));
    conversation.answer(result());
    await settle();
    expect(conversation.finished).toBe(0);
    const streamed = query.streamInput(only('And why?'));
    await settle();
    conversation.confirm(1);
    await streamed;
    await macrotask();
    expect(conversation.finished).toBe(0);
    conversation.answer(result(), 1);
    await macrotask();
    expect(conversation.finished).toBe(0);
    conversation.say(state('idle'));
    await macrotask();
    expect(conversation.finished).toBe(1);
  });

  it('continues when the loop calls it on the result, although the agent was idle in the same moment', async () => {
    const canUseTool = async (): Promise<{ behavior: 'allow' }> => ({ behavior: 'allow' });
    const { conversation, query } = start('Hello', { canUseTool });
    const streamed = query.next().then(async () => await query.streamInput(only('And why?')));
    await settle();
    conversation.say(state('running'));
    conversation.answer(result());
    conversation.say(state('idle'));
    await macrotask();
    conversation.confirm(1);
    await streamed;
    expect(conversation.finished).toBe(0);
    expect(conversation.sent).toHaveLength(2);
  });

  it('keeps no query from ending in a test that replaces the timers of its process', async () => {
    vi.useFakeTimers();
    try {
      const canUseTool = async (): Promise<{ behavior: 'allow' }> => ({ behavior: 'allow' });
      const { conversation } = start('Hello', { canUseTool });
      await settle();
      conversation.answer(result());
      await macrotask();
      expect(conversation.finished).toBe(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('continues although the prompt, a stream, has ended', async () => {
    const { conversation, query } = start(only('one'));
    await settle();
    const streamed = query.streamInput(only('two'));
    await settle();
    conversation.confirm(1);
    await streamed;
    expect(conversation.sent.map(({ content }) => content)).toEqual(['one', 'two']);
  });
});

const { state } = agentFrames;
const nextTask = setImmediate;
const macrotask = (): Promise<void> => new Promise((resolve) => nextTask(() => nextTask(resolve)));

async function* only(text: string): AsyncGenerator<SDKUserMessage> {
  yield userMessage(text);
}

/** A generator that hangs: its `return()` never settles. */
async function* forever(): AsyncGenerator<SDKUserMessage> {
  await new Promise<void>(() => {});
  yield userMessage('never');
}
