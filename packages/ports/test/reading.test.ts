import { describe, expect, it } from 'vitest';
import {
  isResult,
  isSystem,
  textDeltaOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
  type AgentMessage,
  type AnyMessage,
} from '@hexagent/ports';

const scoped = { uuid: 'aaaaaaaa-0000-4000-8000-000000000001', session_id: 's' } as const;

const assistant = {
  ...scoped,
  type: 'assistant',
  parent_tool_use_id: null,
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    model: 'x',
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      { type: 'text', text: 'b' },
    ],
  },
} satisfies AgentMessage;

const delta = {
  ...scoped,
  type: 'stream_event',
  parent_tool_use_id: null,
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'piece' } },
} satisfies AgentMessage;

const user = {
  ...scoped,
  type: 'user',
  parent_tool_use_id: null,
  message: {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 't', content: 'done' },
      { type: 'text', text: 'And now?' },
    ],
  },
} satisfies AgentMessage;

const title = { ...scoped, type: 'system', subtype: 'session_title_changed', title: 'Tests' } satisfies AgentMessage;

const messages: readonly AgentMessage[] = [assistant, delta, user, title];

describe('Helpers for reading', () => {
  it('find the text of an answer, and none in other messages', () => {
    expect(messages.map(textOf)).toEqual(['ab', '', '', '']);
  });

  it('find the piece of text in a partial message, and none in other messages', () => {
    expect(messages.map(textDeltaOf)).toEqual(['', 'piece', '', '']);
  });

  it('find the tool calls of an answer, and what the tools answered', () => {
    expect(messages.map(toolUsesOf)).toEqual([[{ type: 'tool_use', id: 't', name: 'Bash', input: {} }], [], [], []]);
    expect(messages.map(toolResultsOf)).toEqual([
      [],
      [],
      [{ type: 'tool_result', tool_use_id: 't', content: 'done' }],
      [],
    ]);
    expect(toolResultsOf({ ...user, message: { role: 'user', content: 'Hi' } } as AnyMessage)).toEqual([]);
  });

  it('recognize a result and a system message', () => {
    expect(messages.map(isResult)).toEqual([false, false, false, false]);
    expect(isResult({ type: 'result' })).toBe(true);
    expect(messages.map((message) => isSystem(message, 'session_title_changed'))).toEqual([false, false, false, true]);
    expect(isSystem(title as AgentMessage, 'init')).toBe(false);
  });

  it.each(['assistant', 'user', 'stream_event', 'system', 'of_a_newer_agent'])(
    'find nothing in a message %s that has nothing but its type',
    (type) => {
      for (const read of [textOf, textDeltaOf]) expect(read({ type })).toBe('');
      for (const read of [toolUsesOf, toolResultsOf]) expect(read({ type })).toEqual([]);
    },
  );

  it.each<[string, AnyMessage]>([
    ['an answer', { ...assistant, message: { content: [null, 'text', 7] } } as AnyMessage],
    ['what a tool answered', { ...user, message: { content: [null] } } as AnyMessage],
    ['a partial message', { ...delta, event: { type: 'content_block_delta' } } as AnyMessage],
  ])('find nothing in %s whose parts are not what they should be', (_, message) => {
    for (const read of [textOf, textDeltaOf]) expect(read(message)).toBe('');
    for (const read of [toolUsesOf, toolResultsOf]) expect(read(message)).toEqual([]);
  });
});
