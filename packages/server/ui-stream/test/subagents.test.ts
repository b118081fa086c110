import { createUiTranslator, type UiChunk } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import {
  approval,
  assistant,
  call,
  denied,
  result,
  system,
  text,
  thinking,
  toolResult,
  translate,
  typesOf,
} from './messages.ts';

const of = { parent_tool_use_id: 'sub', agent_id: 'agent', subagent_type: 'general-purpose' };
const about = { parentToolCallId: 'sub', agentId: 'agent', subagentType: 'general-purpose' };
const task = { task_id: 'agent', tool_use_id: 'sub', description: 'd', task_type: 'local_agent' };

const run = [
  assistant('m1', call('sub', { prompt: 'go' }, 'Task')),
  assistant('s1', thinking('Hm.'), of),
  assistant('s2', text('I look.'), of),
  assistant('s2', call('t1'), of),
  toolResult('t1', 'found', of),
];

const dataOf = (chunks: readonly UiChunk[], type: string): unknown[] =>
  chunks.flatMap((chunk) => (chunk.type === type && 'data' in chunk ? [chunk.data] : []));

describe('Messages of a subagent', () => {
  it('are parts beside the others by default, its calls with whose they are', () => {
    const chunks = translate(run);
    expect(dataOf(chunks, 'data-subagent-reasoning')).toEqual([{ text: 'Hm.', ...about }]);
    expect(dataOf(chunks, 'data-subagent-text')).toEqual([{ text: 'I look.', ...about }]);
    expect(chunks.slice(-2)).toMatchObject([
      { type: 'tool-input-available', toolCallId: 't1', toolMetadata: about },
      { type: 'tool-output-available', toolCallId: 't1', output: 'found' },
    ]);
    expect(typesOf(chunks).filter((type) => type === 'start-step')).toHaveLength(1);
  });

  it('are one part that grows with `nested`', () => {
    const chunks = translate(run, { subagents: 'nested' });
    expect(typesOf(chunks).filter((type) => type.startsWith('tool-'))).toEqual(['tool-input-available']);
    const parts = [
      { type: 'reasoning', text: 'Hm.' },
      { type: 'text', text: 'I look.' },
      { type: 'tool', toolCallId: 't1', toolName: 'Bash', input: { command: 'ls' }, state: 'done', output: 'found' },
    ];
    expect(dataOf(chunks, 'data-subagent').at(-1)).toEqual({ ...about, parts });
    expect(chunks.at(-1)).toMatchObject({ id: 'sub' });
  });

  it('show with `nested` how each call ended, at the latest when the turn ends', () => {
    const open = [assistant('m1', call('sub')), ...['t1', 't2', 't3'].map((id) => assistant('s', call(id), of))];
    const ends = [toolResult('t1', 'no', of, true), { ...denied('t2', 'never'), ...of }, result()];
    const data = dataOf(translate([...open, ...ends], { subagents: 'nested' }), 'data-subagent').at(-1);
    expect(data).toMatchObject({
      parts: [
        { state: 'error', errorText: 'no' },
        { state: 'denied', errorText: 'never' },
        { state: 'error', errorText: 'The turn ended before this call had a result.' },
      ],
    });
  });

  it('are left out with `drop`', () => {
    expect(typesOf(translate(run, { subagents: 'drop' }))).toEqual(['start', 'start-step', 'tool-input-available']);
  });

  it.each(['flat', 'nested', 'drop'] as const)(
    'have a part of its own for a call that needs an approval: %s',
    (subagents) => {
      const translator = createUiTranslator({ messageId: 'answer', subagents });
      for (const message of [...run.slice(0, 3), system('task_started', task)]) translator.push(message);
      const chunks = [
        ...translator.approvalRequested(approval('a1', 't1', { agentId: 'agent' })),
        ...translator.push(run[3]!),
        ...translator.approvalSettled({ id: 'a1', approved: true }),
        ...translator.push(run[4]!),
      ];
      expect(chunks).toMatchObject([
        { type: 'tool-input-available', toolCallId: 't1', toolMetadata: { parentToolCallId: 'sub', agentId: 'agent' } },
        { type: 'tool-approval-request', approvalId: 'a1', approvalDescriptor: { agentId: 'agent' } },
        { type: 'tool-approval-response' },
        { type: 'tool-output-available' },
      ]);
    },
  );
});

describe('A task', () => {
  it('is one part with all that was reported of it', () => {
    const usage = { total_tokens: 5, tool_uses: 1, duration_ms: 9 };
    const chunks = translate([
      system('task_started', { ...task, is_backgrounded: true }),
      system('task_progress', { ...task, description: 'Running ls', last_tool_name: 'Bash', usage }),
      system('task_updated', { task_id: 'agent', patch: { status: 'completed' } }),
      system('task_notification', { ...task, description: undefined, status: 'completed', summary: 'done' }),
    ]);
    expect(chunks.at(-1)).toEqual({
      type: 'data-task',
      id: 'agent',
      data: {
        taskId: 'agent',
        status: 'completed',
        toolCallId: 'sub',
        kind: 'local_agent',
        description: 'Running ls',
        isBackgrounded: true,
        lastToolName: 'Bash',
        summary: 'done',
        usage: { totalTokens: 5, toolUses: 1, durationMs: 9 },
      },
    });
  });

  it('shows its progress as the preliminary result of its call, until there is a result', () => {
    const progress = system('task_progress', { ...task, description: 'Running ls', last_tool_name: 'Bash' });
    const chunks = translate([run[0]!, progress, toolResult('sub', 'done'), progress]);
    expect(chunks.filter(({ type }) => type === 'tool-output-available')).toEqual([
      {
        type: 'tool-output-available',
        toolCallId: 'sub',
        output: { status: 'running', description: 'Running ls', lastToolName: 'Bash' },
        dynamic: true,
        preliminary: true,
      },
      { type: 'tool-output-available', toolCallId: 'sub', output: 'done', dynamic: true },
    ]);
  });

  it('does not show a call as running while its approval is pending', () => {
    const translator = createUiTranslator({ messageId: 'answer' });
    translator.push(run[0]!);
    translator.approvalRequested(approval('a1', 'sub'));
    expect(typesOf(translator.push(system('task_progress', task)))).toEqual(['data-task']);
  });
});
