import type { StoredMessage } from '@hexagent/ports';
import { answerIdOf, toUiMessages } from '@hexagent/ui-stream';
import { describe, expect, it } from 'vitest';
import { call, text, thinking } from './messages.ts';

const usual = { session_id: 's', parent_tool_use_id: null, parent_agent_id: null };

const fromUser = (uuid: string, content: unknown, more: Partial<StoredMessage> = {}): StoredMessage => ({
  ...usual,
  type: 'user',
  uuid,
  message: { role: 'user', content },
  ...more,
});

const answered = (uuid: string, id: string, block: object, more: Partial<StoredMessage> = {}): StoredMessage => ({
  ...usual,
  type: 'assistant',
  uuid,
  message: { id, role: 'assistant', model: 'opus', content: [block] },
  ...more,
});

const resultOf = (id: string, content: unknown, more: Partial<StoredMessage> = {}): StoredMessage =>
  fromUser(`r-${id}`, [{ type: 'tool_result', tool_use_id: id, content }], more);

const metadata = { sessionId: 's', model: 'opus' };
const step = { type: 'step-start' };
const words = (of: string) => ({ type: 'text', text: of, state: 'done' });

describe('The history of a session', () => {
  it('has an answer of more blocks than a call can have arguments', () => {
    const content = Array.from({ length: 150_000 }, (_, place) => text(`${place}`));
    const message = { id: 'm', role: 'assistant', model: 'opus', content };
    const [, answer] = toUiMessages([fromUser('u', 'Hello'), { ...answered('a', 'm', {}), message }]);
    expect(answer?.parts.filter(({ type }) => type === 'text')).toHaveLength(content.length);
  });

  it('is the messages of both, with the id of each message and of its answer', () => {
    const stored = [
      fromUser('u1', 'Hello'),
      answered('a1', 'm1', thinking('Hm.')),
      answered('a2', 'm1', text('Hi.')),
      fromUser('u2', [text('And?')]),
      answered('a3', 'm2', text('No.')),
    ];
    const reasoning = { type: 'reasoning', id: 'm1:0', text: 'Hm.', state: 'done' };
    expect(toUiMessages(stored)).toEqual([
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
      {
        id: answerIdOf('u1'),
        role: 'assistant',
        metadata,
        parts: [step, { ...reasoning, providerMetadata: { anthropic: { signature: 'sig' } } }, words('Hi.')],
      },
      { id: 'u2', role: 'user', parts: [{ type: 'text', text: 'And?' }] },
      { id: answerIdOf('u2'), role: 'assistant', metadata, parts: [step, words('No.')] },
    ]);
  });

  it('has calls with their structured results, their denials, and those that have none', () => {
    const [, answer] = toUiMessages([
      fromUser('u1', 'go'),
      answered('a1', 'm1', call('t1')),
      answered('a2', 'm1', call('t2')),
      answered('a3', 'm1', call('t3')),
      answered('a4', 'm1', call('t4')),
      resultOf('t1', 'a', { tool_use_result: { stdout: 'a' } }),
      resultOf('t2', 'no', { tool_result_meta: [{ id: 't2', non_execution_kind: 'user-rejected' }] }),
      resultOf('t3', 'The outcome is unknown.', {
        tool_result_meta: [{ id: 't3', non_execution_kind: 'interrupted' }],
      }),
    ]);
    const resultProviderMetadata = { hexagent: { interrupted: true } };
    expect(answer?.parts.slice(1)).toMatchObject([
      { toolCallId: 't1', state: 'output-available', output: { stdout: 'a' }, input: { command: 'ls' } },
      { toolCallId: 't2', state: 'output-denied', approval: { approved: false, reason: 'no' } },
      { toolCallId: 't3', state: 'output-error', errorText: 'The outcome is unknown.', resultProviderMetadata },
      {
        toolCallId: 't4',
        state: 'output-error',
        errorText: 'The turn ended before this call had a result.',
        resultProviderMetadata,
      },
    ]);
  });

  it('has a message that joined a turn where the agent took it up', () => {
    const [, answer, ...more] = toUiMessages([
      fromUser('u1', 'go'),
      answered('a1', 'm1', text('one')),
      fromUser('u2', 'also', { isQueuedCommand: true }),
      answered('a2', 'm2', text('two')),
    ]);
    expect(more).toEqual([]);
    const steering = { type: 'steering-message', id: 'u2', parts: [{ type: 'text', text: 'also' }] };
    expect(answer?.parts).toEqual([step, words('one'), steering, step, words('two')]);
  });

  it('shows that a turn was interrupted, also one without an answer', () => {
    const stored = [
      fromUser('u1', 'go'),
      fromUser('x', [text('[Request interrupted by user]')]),
      fromUser('u2', 'go on'),
    ];
    expect(toUiMessages(stored)).toMatchObject([
      { id: 'u1' },
      { id: answerIdOf('u1'), metadata: { interrupted: true }, parts: [] },
      { id: 'u2' },
    ]);
  });

  it('leaves out what was written for the model alone', () => {
    const stored = [
      fromUser('u1', 'go'),
      fromUser('x', 'Resume directly.', { is_meta: true }),
      answered('a1', 'm1', text('a')),
    ];
    expect(toUiMessages(stored).map(({ id }) => id)).toEqual(['u1', answerIdOf('u1')]);
  });

  it('begins with a compaction where there was one', () => {
    const summary = fromUser('c', 'The session so far', { isCompactSummary: true, is_meta: true });
    expect(toUiMessages([summary, fromUser('u1', 'go')])).toEqual([
      { id: answerIdOf('c'), role: 'assistant', parts: [{ type: 'data-compaction', id: 'c', data: {} }] },
      { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'go' }] },
    ]);
  });

  it('has commands as they were typed, and what they wrote as lines', () => {
    const typed =
      '<command-name>/compact</command-name>\n<command-message>compact</command-message>\n<command-args>now</command-args>';
    const stored = [fromUser('u1', typed), fromUser('o', '<local-command-stdout>Compacted </local-command-stdout>')];
    expect(toUiMessages(stored)).toMatchObject([
      { id: 'u1', parts: [{ type: 'text', text: '/compact now' }] },
      { id: answerIdOf('u1'), parts: [{ type: 'data-notice', data: { text: 'Compacted', level: 'info' } }] },
    ]);
  });

  it('has a turn that a task began as an answer to no message', () => {
    const report = fromUser('t', '<task-notification>', { origin: { kind: 'task-notification' } });
    const within = { ...report, uuid: 'q', isQueuedCommand: true } as const;
    const stored = [
      fromUser('u1', 'go'),
      answered('a1', 'm1', text('one')),
      within,
      report,
      answered('a2', 'm2', text('two')),
    ];
    expect(toUiMessages(stored).map(({ id, role }) => [id, role])).toEqual([
      ['u1', 'user'],
      [answerIdOf('u1'), 'assistant'],
      [answerIdOf('t'), 'assistant'],
    ]);
  });

  it('has structured output as a part', () => {
    const output = (id: string, answer: unknown): StoredMessage =>
      answered(id, id, call(id, { answer }, 'StructuredOutput'));
    const failed = fromUser('f', [{ type: 'tool_result', tool_use_id: 't1', content: 'wrong', is_error: true }]);
    const stored = [fromUser('u1', 'go'), output('t1', 5), failed, output('t2', 'five'), resultOf('t2', 'ok')];
    expect(toUiMessages(stored)[1]?.parts.at(-1)).toEqual({
      type: 'data-structured-output',
      id: 'structured-output',
      data: { output: { answer: 'five' } },
    });
  });

  it('has files that were sent', () => {
    const sent = [
      text('Look.'),
      { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA==' } },
      { type: 'image', source: { type: 'url', url: 'https://example.test/a.png' } },
      { type: 'document', title: 'a.txt', source: { type: 'text', media_type: 'text/plain', data: 'a b\ud83d' } },
    ];
    expect(toUiMessages([fromUser('u1', sent)])[0]?.parts).toEqual([
      { type: 'text', text: 'Look.' },
      { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AA==' },
      { type: 'file', mediaType: 'image', url: 'https://example.test/a.png' },
      { type: 'file', mediaType: 'text/plain', url: 'data:text/plain,a%20b%EF%BF%BD', filename: 'a.txt' },
    ]);
  });

  it('has the messages of subagents behind the calls that started them', () => {
    const of = { parent_tool_use_id: 't1' };
    const subagentMessages = [
      fromUser('p', 'SUBPROMPT', of),
      answered('s1', 's1', text('I look.'), of),
      answered('s2', 's2', call('t2'), of),
      resultOf('t2', 'found', of),
    ];
    const stored = [
      fromUser('u1', 'go'),
      answered('a1', 'm1', call('t1')),
      resultOf('t1', 'ok'),
      answered('a2', 'm2', text('Done.')),
    ];
    const [, answer] = toUiMessages(stored, { subagentMessages });
    expect(answer?.parts).toMatchObject([
      step,
      { toolCallId: 't1', state: 'output-available' },
      { type: 'data-subagent-text', data: { text: 'I look.', parentToolCallId: 't1' } },
      { toolCallId: 't2', state: 'output-available', toolMetadata: { parentToolCallId: 't1' } },
      step,
      words('Done.'),
    ]);
    const [, dropped] = toUiMessages(stored, { subagentMessages, subagents: 'drop' });
    expect(dropped?.parts).toHaveLength(4);
  });

  it('does not stumble over messages that are not in their form', () => {
    const odd = [
      fromUser('u1', undefined),
      { ...fromUser('u2', 7), message: null },
      answered('a', '', {}),
      { ...usual, type: 'system' },
    ];
    expect(() => toUiMessages(odd as StoredMessage[])).not.toThrow();
    expect(
      toUiMessages(odd as StoredMessage[]).every(({ role, parts }) => role === 'assistant' || parts.length > 0),
    ).toBe(true);
  });
});
