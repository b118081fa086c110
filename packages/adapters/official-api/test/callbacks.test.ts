import { describe, expect, it, vi } from 'vitest';
import type { QueryCallbacks } from '../src/index.ts';
import type { CanUseTool, OnElicitation, OnUserDialog, Options } from '../src/official.ts';
import { settle, start } from './start.ts';

const signal = new AbortController().signal;
const context = { requestId: 'r1', signal };

/** What the features of the query are made of. */
async function given(options: Options): Promise<QueryCallbacks> {
  const { seen } = start('Hello', options);
  await settle();
  return seen.callbacks ?? {};
}

describe('canUseTool', () => {
  it('receives all that the agent sends, in the official spelling', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => Promise.resolve({ behavior: 'allow' }));
    const { canUseTool: decide } = await given({ canUseTool });
    const suggestions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }] as const;
    await decide?.(
      {
        tool_name: 'Write',
        input: { file_path: 'a' },
        tool_use_id: 'toolu_1',
        display_name: 'Write',
        description: 'Writes a file',
        title: 'Write a?',
        permission_suggestions: suggestions,
        blocked_path: '/a',
        decision_reason: 'outside',
        suppress_always_allow_rule: true,
        default_to_no: true,
        matched_ask_rule: { source: 'session', tool_name: 'Write', rule_content: 'a' },
        mcp_server: { name: 's', source: 'dynamic' },
        agent_id: 'agent_1',
      },
      context,
    );
    expect(canUseTool).toHaveBeenCalledExactlyOnceWith(
      'Write',
      { file_path: 'a' },
      {
        signal,
        requestId: 'r1',
        toolUseID: 'toolu_1',
        displayName: 'Write',
        description: 'Writes a file',
        title: 'Write a?',
        suggestions,
        blockedPath: '/a',
        decisionReason: 'outside',
        suppressAlwaysAllowRule: true,
        defaultToNo: true,
        matchedAskRule: { source: 'session', toolName: 'Write', ruleContent: 'a' },
        mcpServer: { name: 's', source: 'dynamic' },
        agentID: 'agent_1',
      },
    );
  });

  it('receives nothing that the agent did not send', async () => {
    const canUseTool = vi.fn<CanUseTool>(() => Promise.resolve(null));
    const { canUseTool: decide } = await given({ canUseTool });
    await decide?.({ tool_name: 'Bash', input: {}, tool_use_id: 't' }, context);
    expect(Object.keys(canUseTool.mock.calls[0]?.[2] ?? {}).toSorted()).toEqual(['requestId', 'signal', 'toolUseID']);
  });

  it('cannot change what the agent sent by changing its argument', async () => {
    const canUseTool: CanUseTool = (_, input) => {
      input['command'] = 'rm';
      return Promise.resolve(null);
    };
    const { canUseTool: decide } = await given({ canUseTool });
    const input = { command: 'ls' };
    await decide?.({ tool_name: 'Bash', input, tool_use_id: 't' }, context);
    expect(input).toEqual({ command: 'ls' });
  });

  it.each([
    ['an allowance', { behavior: 'allow', updatedInput: { a: 1 }, decisionClassification: 'user_permanent' } as const],
    ['a denial', { behavior: 'deny', message: 'No.', interrupt: true } as const],
    ['null, which leaves the answer to someone else', null],
  ])('answers with %s as it is', async (_, answer) => {
    const { canUseTool: decide } = await given({ canUseTool: () => Promise.resolve(answer) });
    expect(await decide?.({ tool_name: 'Bash', input: {}, tool_use_id: 't' }, context)).toEqual(answer);
  });

  it('that throws rejects, so that the agent receives an error', async () => {
    const { canUseTool: decide } = await given({
      canUseTool: () => {
        throw new Error('Broken.');
      },
    });
    await expect(decide?.({ tool_name: 'Bash', input: {}, tool_use_id: 't' }, context)).rejects.toThrow('Broken.');
  });
});

describe('onElicitation', () => {
  it('is asked in the official spelling and answers as it is', async () => {
    const onElicitation = vi.fn<OnElicitation>(() => Promise.resolve({ action: 'accept', content: { name: 'x' } }));
    const { elicitor } = await given({ onElicitation });
    const answer = await elicitor?.elicit(
      {
        mcp_server_name: 's',
        message: 'Who?',
        mode: 'form',
        requested_schema: { type: 'object' },
        elicitation_id: 'e',
      },
      context,
    );
    expect(answer).toEqual({ action: 'accept', content: { name: 'x' } });
    expect(onElicitation).toHaveBeenCalledExactlyOnceWith(
      { serverName: 's', message: 'Who?', mode: 'form', requestedSchema: { type: 'object' }, elicitationId: 'e' },
      context,
    );
  });

  it('may leave the answer to someone else', async () => {
    const { elicitor } = await given({ onElicitation: () => Promise.resolve(null) });
    expect(await elicitor?.elicit({ mcp_server_name: 's', message: 'Who?' }, context)).toBeNull();
  });
});

describe('onUserDialog', () => {
  it('is asked in the official spelling and answers as it is', async () => {
    const onUserDialog = vi.fn<OnUserDialog>(() => Promise.resolve({ behavior: 'completed', result: 5 }));
    const { dialogs } = await given({ onUserDialog, supportedDialogKinds: ['survey'] });
    const answer = await dialogs?.show({ dialog_kind: 'survey', payload: { q: 1 }, tool_use_id: 't' }, context);
    expect(answer).toEqual({ behavior: 'completed', result: 5 });
    expect(onUserDialog).toHaveBeenCalledExactlyOnceWith(
      { dialogKind: 'survey', payload: { q: 1 }, toolUseID: 't' },
      context,
    );
  });
});
