import { AbortError, SdkError } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import { describe, expect, it } from 'vitest';
import type { Query } from '../src/official.ts';
import { PlayedConversations } from './played-conversations.ts';
import { closed, collect, result, settle, start } from './start.ts';

describe('A method of the query', () => {
  it('waits for the agent to be up', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const asked = query.setModel('opus');
    await settle();
    expect(conversation.asked).toEqual([]);
    conversations.finishOpening();
    await asked;
    expect(conversation.asked).toHaveLength(1);
  });

  it.each([
    ['after the query was closed before the agent was up', true],
    ['that waits for the agent when the query is closed', false],
  ])('%s rejects with a typed error', async (_, after) => {
    const slow = new PlayedConversations({ slow: true });
    slow.refusesWhenAborted = !after;
    const { query } = start('Hello', {}, slow);
    if (after) query.close();
    const asked = query.setModel('opus');
    query.close();
    await expect(asked).rejects.toMatchObject(closed);
  });

  it('#8 interrupts after the prompt was sent, however early it is called', async () => {
    const { query, conversation, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const interrupted = query.interrupt();
    conversations.finishOpening();
    await interrupted;
    const written = conversation.agent.received.map(({ type, request: asked }) => asked?.subtype ?? type);
    expect(written).toEqual(['initialize', 'user', 'interrupt']);
  });

  it('rejects with the reason when the agent could not start', async () => {
    const { query, conversations } = start('Hello', {}, new PlayedConversations({ slow: true }));
    const asked = query.setModel('opus');
    const missing = new SdkError('AGENT_NOT_FOUND', 'There is no agent.');
    conversations.failOpening(missing);
    await expect(asked).rejects.toBe(missing);
  });

  it('that reads the introduction costs no request, and works after the end', async () => {
    const { query, conversation } = start();
    await settle();
    conversation.answer(result());
    conversation.exit();
    await collect(query);
    expect((await query.initializationResult()).models).toEqual(await query.supportedModels());
    expect(await query.supportedCommands()).toMatchObject([{ name: 'help' }]);
    expect(await query.supportedAgents()).toMatchObject([{ name: 'general' }]);
    expect(await query.accountInfo()).toEqual({ apiKeySource: 'ANTHROPIC_API_KEY' });
    expect(conversation.asked).toEqual([]);
  });

  it("fails with the agent's own text and its code when it is refused", async () => {
    const { query, conversation } = start();
    const cause = { error: 'No such mode.', error_code: 'invalid_mode' };
    conversation.refusals.set('set_permission_mode', cause);
    await expect(query.setPermissionMode('plan')).rejects.toMatchObject({
      message: 'No such mode.',
      code: 'REQUEST_FAILED',
      errorCode: 'invalid_mode',
      errorClass: 'control_request_failed',
      cause,
    });
  });

  it.each([
    ['is closed', (query: Query) => query.close(), closed],
    ['is left', (query: Query) => void query.return(), closed],
  ])('fails at once when the query %s, however stubborn the agent is', async (_, end, error) => {
    const { query, conversation } = start();
    conversation.stubborn = true;
    conversation.answers.set('set_model', null);
    const asked = query.setModel('opus');
    await settle();
    end(query);
    await expect(asked).rejects.toMatchObject(error);
  });

  it('fails with the AbortError of the loop when the query is aborted', async () => {
    const abortController = new AbortController();
    const { query, conversation } = start('Hello', { abortController });
    conversation.answers.set('set_model', null);
    const [asked, reading] = [query.setModel('opus'), query.next()];
    await settle();
    abortController.abort('enough');
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AbortError);
    expect(error).toMatchObject({ message: 'Operation aborted', cause: 'enough' });
    await expect(reading).rejects.toBe(error);
    await expect(query.setModel('opus')).rejects.toMatchObject(closed);
  });

  it('fails with the error of the loop when the agent dies before it has answered', async () => {
    const { query, conversation } = start();
    conversation.answers.set('set_model', null);
    const asked = query.setModel('opus');
    await settle();
    conversation.exit({ code: 3, stderr: 'out of memory' });
    const error: unknown = await asked.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringMatching(/^Claude Code process exited with code 3\b/) });
    await expect(collect(query)).rejects.toBe(error);
  });

  it('that is not awaited causes no unhandled rejection', async () => {
    const { query, conversation } = start();
    conversation.refusals.set('set_model', { error: 'no' });
    void query.setModel('opus');
    void query.next();
    void query.streamInput(new Inbox());
    await settle();
    query.close();
    void query.interrupt();
    await settle(); // vitest fails the run for an unhandled rejection
  });
});
