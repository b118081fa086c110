import { AbortError, SdkError } from '@hexagent/ports';
import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { PlayedConversations } from './played-conversations.ts';
import { collect, result, settle, start } from './start.ts';

/** A query whose agent does not leave when it is closed. */
function stubborn(): ReturnType<typeof start> {
  const started = start();
  started.conversation.stubborn = true;
  return started;
}

describe('Leaving the loop', () => {
  it('settles at once, while the agent is ended behind it', async () => {
    const { query, conversation } = stubborn();
    await settle();
    conversation.say({ type: 'assistant' });
    for await (const _ of query) break;
    expect(conversation.closings).toBe(1);
  });

  it('with close() settles a next() that waits', async () => {
    const { query, conversation } = stubborn();
    const waiting = query.next();
    await settle();
    query.close();
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });
    expect(conversation.closings).toBe(1);
  });

  it('before the agent is up takes the start back and leaves none running', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const waiting = query.next();
    query.close();
    await expect(waiting).resolves.toEqual({ done: true, value: undefined });
    expect(conversations.opened[0]?.signal?.aborted).toBe(true);
    conversations.finishOpening();
    await conversation.agent.exited;
    expect(conversation.sent).toEqual([]);
  });

  it('delivers nothing that came before and was not read', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.say({ type: 'assistant' }, result());
    query.close();
    expect(await collect(query)).toEqual([]);
  });

  it('with return() hands its value back', async () => {
    const { query } = start();
    await expect(query.return(Promise.resolve())).resolves.toEqual({ done: true, value: undefined });
  });

  it('with throw() rejects with that error and ends the agent', async () => {
    const { query, conversation } = start();
    await settle();
    const mine = new Error('Mine.');
    await expect(query.throw(mine)).rejects.toBe(mine);
    expect(conversation.closings).toBe(1);
  });

  it('by disposing waits until the agent has exited', async () => {
    const { query, conversation } = stubborn();
    await settle();
    let gone = false;
    const disposed = query[Symbol.asyncDispose]().then(() => (gone = true));
    await settle();
    expect(gone).toBe(false);
    conversation.exit();
    await disposed;
  });

  it('twice does nothing more', async () => {
    const { query } = start();
    query.close();
    query.close();
    await query.return();
    expect(await collect(query)).toEqual([]);
  });
});

describe('Aborting', () => {
  it('#26 throws an AbortError at once, with the reason as its cause', async () => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    conversation.stubborn = true;
    const reading = collect(query);
    await settle();
    abortController.abort('enough');
    const error: unknown = await reading.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough' });
    expect(conversation.closings).toBe(1);
  });

  it('#26 delivers nothing afterwards, not even what had arrived before', async () => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    await settle();
    conversation.say({ type: 'assistant' }, { type: 'assistant' });
    await query.next();
    abortController.abort();
    await expect(query.next()).rejects.toMatchObject({ message: 'Claude Code process aborted by user' });
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it('#26 before the query makes it throw, and starts no agent', () => {
    const abortController = new AbortController();
    abortController.abort('never mind');
    const conversations = new PlayedConversations();
    expect(() => start('Hello', { abortController }, conversations)).toThrow(
      expect.objectContaining({ name: 'AbortError', message: 'Operation aborted', cause: 'never mind' }),
    );
    expect(conversations.opened).toEqual([]);
  });

  it('#26 while the agent starts takes the start back', async () => {
    const abortController = new AbortController();
    const { query, conversation, conversations } = start(
      'Hello',
      { abortController },
      new PlayedConversations({ slow: true }),
    );
    const waiting = query.next();
    abortController.abort();
    await expect(waiting).rejects.toBeInstanceOf(AbortError);
    conversations.finishOpening();
    await conversation.agent.exited;
  });

  it('#26 gives the callbacks of the conversation the same reason', async () => {
    const abortController = new AbortController();
    const { conversations } = start('Hello', { abortController });
    await settle();
    abortController.abort('enough');
    expect(conversations.opened[0]?.signal?.reason).toBe('enough');
  });

  it('#26 is not reported for a break', async () => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    await settle();
    conversation.say({ type: 'assistant' });
    for await (const _ of query) break;
    expect(abortController.signal.aborted).toBe(false);
    abortController.abort();
    await expect(query.next()).resolves.toEqual({ done: true, value: undefined });
  });

  it.each([
    [
      'read to its end',
      async ({ conversation, query }: ReturnType<typeof start>) => {
        conversation.answer(result());
        conversation.exit();
        await collect(query);
      },
    ],
    ['closed', async ({ query }: ReturnType<typeof start>) => query.close()],
    [
      'that could not start',
      async ({ conversations, query }: ReturnType<typeof start>) => {
        conversations.failOpening(new SdkError('AGENT_NOT_FOUND', 'No.'));
        await collect(query).catch(() => {});
      },
    ],
  ])('#14 leaves no listener on the signal after a query %s', async (name, end) => {
    const abortController = new AbortController();
    const slow = name === 'that could not start';
    const started = start('Hello', { abortController }, new PlayedConversations({ slow }));
    expect(getEventListeners(abortController.signal, 'abort')).toHaveLength(1);
    await settle();
    await end(started);
    expect(getEventListeners(abortController.signal, 'abort')).toHaveLength(0);
  });
});
