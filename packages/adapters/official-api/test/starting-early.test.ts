import { AgentExitedError, type SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { createPrewarm, createStartup } from '../src/index.ts';
import type { SpareProcess } from '../src/official.ts';
import { PlayedConversations, type PlayedConversation } from './played-conversations.ts';
import { collect, partsOver, result, settle, userMessage, type Seen } from './start.ts';

type ClaimOptions = Parameters<SpareProcess['claim']>[0]['options'];

const claimed = { status: 'ok', cwd: '/work', session_id: 's', parked_ms: 7, sdk_mcp_settled: true };

async function park(
  options: Parameters<ReturnType<typeof createPrewarm>>[0] = {},
): Promise<{ readonly spare: SpareProcess; readonly conversation: PlayedConversation; readonly seen: Seen }> {
  const [conversations, seen]: [PlayedConversations, Seen] = [new PlayedConversations(), {}];
  conversations.conversation.answers.set('claim_session', claimed);
  const spare = await createPrewarm(partsOver(conversations, seen))(options);
  return { spare, conversation: conversations.conversation, seen };
}

const subtypesOf = ({ asked }: PlayedConversation): readonly string[] => asked.map(({ subtype }) => subtype);

describe('A warm query', () => {
  it('is there when the agent has introduced itself, and has sent nothing', async () => {
    const conversations = new PlayedConversations();
    const warm = await createStartup(partsOver(conversations))({ initializeTimeoutMs: 7 });
    expect(conversations.conversation.sent).toEqual([]);
    expect(conversations.opened[0]).toMatchObject({ initializeTimeoutMs: 7 });
    warm.close();
    await settle();
    expect(conversations.conversation.closings).toBe(1);
  });

  it('takes one prompt, and an invalid one does not count', async () => {
    const conversations = new PlayedConversations();
    const warm = await createStartup(partsOver(conversations))();
    expect(() => warm.query(5 as never)).toThrow(
      new TypeError('`prompt` must be a string or an iterable of user messages.'),
    );
    const running = warm.query('Hello');
    expect(conversations.conversation.sent).toHaveLength(1);
    expect(() => warm.query('Hello')).toThrow('WarmQuery.query() can only be called once');
    conversations.conversation.answer(result());
    conversations.conversation.agent.onInputEnd(() => conversations.conversation.exit());
    expect(await collect(running)).toMatchObject([{ type: 'result' }]);
  });

  it('reports why it cannot be asked any more', async () => {
    const conversations = new PlayedConversations();
    const warm = await createStartup(partsOver(conversations))();
    conversations.conversation.exit({ code: 3, stderr: 'bad things' });
    await settle();
    const failure = ((): unknown => {
      try {
        return warm.query('Hello');
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toMatchObject({
      code: 'CONVERSATION_CLOSED',
      message: expect.stringMatching(/^ProcessTransport is not ready/),
    });
    expect((failure as SdkError).cause).toBeInstanceOf(AgentExitedError);
    expect((failure as SdkError).cause).toMatchObject({ exitCode: 3, stderr: 'bad things' });
  });

  it('ends the agent that does not introduce itself', async () => {
    const conversations = new PlayedConversations();
    conversations.conversation.refusals.set('initialize', { error: 'Not today.' });
    await expect(createStartup(partsOver(conversations))()).rejects.toMatchObject({
      code: 'INITIALIZE_FAILED',
      message: 'Not today.',
    });
    await settle();
    expect(conversations.conversation.closings).toBe(1);
  });

  it('is disposed of with its agent, asked or not', async () => {
    for (const isAsked of [true, false]) {
      const conversations = new PlayedConversations();
      const warm = await createStartup(partsOver(conversations))();
      if (isAsked) warm.query('Hello');
      await warm[Symbol.asyncDispose]();
      expect(conversations.conversation.closings).toBeGreaterThan(0);
      expect(() => warm.query('Hello')).toThrow('can only be called once');
    }
  });
});

describe('A spare process', () => {
  it('is started with the flag, in a folder of its own below the settings of its agent', async () => {
    const folderOf = async (env: Record<string, string>): Promise<string | undefined> =>
      (await park({ options: { env, extraArgs: { other: null } } })).seen.launch?.ownFolder;
    expect(await folderOf({ HOME: '/home/x' })).toBe('/home/x/.claude/spares/spare-');
    expect(await folderOf({ HOME: '/home/x', CLAUDE_CONFIG_DIR: '/conf' })).toBe('/conf/spares/spare-');
    expect(await folderOf({ CLAUDE_CONFIG_DIR: '' })).toMatch(/\/\.claude\/spares\/spare-$/);
    const { seen } = await park({ options: { cwd: '/parked', extraArgs: { other: null } } });
    expect(seen.launch).toMatchObject({ cwd: '/parked', extraArgs: { other: null, 'await-claim': null } });
    expect(seen.launch).not.toHaveProperty('ownFolder');
  });

  it('writes the claim, what belongs to it and the prompt, in this order', async () => {
    const { spare, conversation } = await park();
    const options: ClaimOptions = { cwd: '/work', model: 'm', maxThinkingTokens: null };
    const running = spare.claim({ prompt: 'Hello', options });
    await settle();
    expect(conversation.asked).toEqual([
      { subtype: 'claim_session', fields: expect.objectContaining({ cwd: '/work', sdk_mcp_servers: [] }) },
      { subtype: 'set_model', fields: { model: 'm' } },
      { subtype: 'set_max_thinking_tokens', fields: { max_thinking_tokens: null } },
    ]);
    expect(conversation.sent).toHaveLength(1);
    expect(await spare.claimed).toEqual({ cwd: '/work', sessionId: 's', parkedMs: 7, sdkMcpSettled: true });
    conversation.answer(result());
    conversation.agent.onInputEnd(() => conversation.exit());
    await collect(running);
  });

  it('holds the prompt until settings are in force', async () => {
    const { spare, conversation } = await park();
    conversation.answers.set('apply_flag_settings', null);
    const settings = { effortLevel: 'high', permissions: { deny: ['Bash'] } } as const;
    spare.claim({
      prompt: 'Hello',
      options: { cwd: '/work', settings: { ...settings, permissions: { deny: ['Bash'] } } },
    });
    await settle();
    expect(subtypesOf(conversation)).toEqual(['apply_flag_settings', 'claim_session', 'apply_flag_settings']);
    expect(conversation.sent).toEqual([]);
    spare.close();
    await expect(spare.claimed).rejects.toThrow(/^settings_not_applied: Query closed before response received/);
  });

  it('reads nothing more of a prompt whose claim was refused, and lets the agent leave', async () => {
    const { spare, conversation } = await park();
    conversation.refusals.set('claim_session', { error: 'cwd_not_found: no', error_code: 'gone' });
    let isLeft = false;
    async function* prompt() {
      try {
        yield userMessage('Hello');
        await new Promise(() => {});
      } finally {
        isLeft = true;
      }
    }
    const stream = prompt();
    const running = spare.claim({ prompt: stream, options: { cwd: '/work' } });
    await expect(spare.claimed).rejects.toMatchObject({ message: 'cwd_not_found: no', errorCode: 'gone' });
    expect(conversation.finished).toBe(1);
    expect(isLeft).toBe(false); // a generator that waits is left when it continues
    conversation.answer(result({ is_error: true, result: 'not_claimed' }));
    conversation.agent.onInputEnd(() => conversation.exit({ code: 1 }));
    await expect(collect(running)).rejects.toThrow('Claude Code returned an error result: not_claimed');
    await spare.exited;
  });

  it('rejects a pending claim with the reason of its exit', async () => {
    const died = await park();
    died.conversation.exit({ code: 9, stderr: 'out of memory' });
    await expect(died.spare.claimed).rejects.toMatchObject({
      message: expect.stringMatching(/^spare_exited/),
      cause: { exitCode: 9 },
    });
    expect(() => died.spare.claim({ prompt: 'x', options: { cwd: '/' } })).toThrow('was closed or has exited');
    const closed = await park();
    closed.spare.close();
    closed.spare.close();
    await expect(closed.spare.claimed).rejects.toThrow(/^spare_closed/);
    await closed.spare.exited;
  });

  it('can be claimed after a claim whose settings threw', async () => {
    const { spare, conversation } = await park();
    const unreadable = {
      cwd: '/work',
      get settings(): never {
        throw new Error('a getter');
      },
    };
    expect(() => spare.claim({ prompt: 'x', options: unreadable })).toThrow('a getter');
    expect(() => spare.claim({ prompt: 'x', options: { cwd: '/', settings: { hooks: {} } } })).toThrow(
      'hook settings (hooks)',
    );
    expect(subtypesOf(conversation)).toEqual([]);
    spare.claim({ prompt: 'x', options: { cwd: '/work' } });
    expect(await spare.claimed).toMatchObject({ sessionId: 's' });
  });
});
