import { describe, expect, it } from 'vitest';
import { formatCost, hintOf, isResult, textDeltaOf, textOf, toolUsesOf, type AgentMessage } from '@hexagent/sdk';

const assistant = {
  type: 'assistant',
  uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
  session_id: 's',
  parent_tool_use_id: null,
  message: {
    id: 'm',
    type: 'message',
    stop_sequence: null,
    role: 'assistant',
    model: 'x',
    stop_reason: null,
    usage: { input_tokens: 1, output_tokens: 1 },
    content: [
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 't', name: 'Bash', input: {} },
      { type: 'text', text: 'b' },
    ],
  },
} satisfies AgentMessage;

const delta = {
  type: 'stream_event',
  uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
  session_id: 's',
  parent_tool_use_id: null,
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'piece' } },
} satisfies AgentMessage;

const retry = {
  type: 'system',
  subtype: 'api_retry',
  uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
  session_id: 's',
  attempt: 1,
  max_retries: 10,
  retry_delay_ms: 500,
  error: 'unknown',
} as const;

describe('Helpers for reading', () => {
  it('tell the text and the tool calls of a message, and nothing of others', () => {
    expect(textOf(assistant)).toBe('ab');
    expect(toolUsesOf(assistant)).toEqual([{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]);
    expect(textOf(delta)).toBe('');
    expect(toolUsesOf(delta)).toEqual([]);
  });

  it('tell the piece of text a partial message brings', () => {
    expect(textDeltaOf(delta)).toBe('piece');
    expect(textDeltaOf(assistant)).toBe('');
  });

  it('know a result', () => {
    expect([assistant, delta].some(isResult)).toBe(false);
  });

  it.each([
    [0, '$0.0000'],
    [0.00412, '$0.0041'],
    [0.1, '$0.10'],
    [12.3456, '$12.35'],
  ])('write %d dollars as %s', (dollars, text) => {
    expect(formatCost(dollars)).toBe(text);
  });

  it.each([
    [401, 'authentication'],
    [429, 'rate_limit'],
    [503, 'service'],
    [529, 'overloaded'],
    [null, 'connection'],
  ] as const)('see behind a retry with status %s that it is about %s', (error_status, kind) => {
    expect(hintOf({ ...retry, error_status })).toMatchObject({ kind });
  });

  it('see no hint in what is not about the service', () => {
    expect(hintOf(assistant)).toBeUndefined();
  });
});
