import { describe, expect, it } from 'vitest';
import { system, translate } from './messages.ts';
import type { AnyMessage } from '@hexagent/ports';

const dataOf = (message: AnyMessage): unknown => translate([message]).slice(1);

describe('What the agent reports', () => {
  it.each<[string, AnyMessage, unknown]>([
    [
      'what a session runs with is metadata of the answer',
      system('init', { model: 'opus', permissionMode: 'plan' }),
      { type: 'message-metadata', messageMetadata: { sessionId: 's', model: 'opus', permissionMode: 'plan' } },
    ],
    [
      'what it waits for is transient',
      system('status', { status: 'requesting', permissionMode: 'plan' }),
      { type: 'data-status', data: { status: 'requesting', permissionMode: 'plan' }, transient: true },
    ],
    [
      'a request that is tried again is transient',
      system('api_retry', {
        attempt: 2,
        max_retries: 10,
        retry_delay_ms: 500,
        error_status: null,
        error: 'overloaded',
      }),
      {
        type: 'data-retry',
        data: { attempt: 2, maxRetries: 10, delayMs: 500, status: null, error: 'overloaded' },
        transient: true,
      },
    ],
    [
      'how much it thought is transient',
      system('thinking_tokens', { estimated_tokens: 7 }),
      { type: 'data-thinking-tokens', data: { tokens: 7 }, transient: true },
    ],
    [
      'how long a tool runs is transient',
      { type: 'tool_progress', tool_use_id: 't', tool_name: 'Bash', elapsed_time_seconds: 3 } as AnyMessage,
      {
        type: 'data-tool-progress',
        id: 't',
        data: { toolCallId: 't', toolName: 'Bash', elapsedSeconds: 3 },
        transient: true,
      },
    ],
    [
      'which tasks are alive is transient',
      system('background_tasks_changed', { tasks: [{ task_id: 't', task_type: 'local_bash', description: 'd' }] }),
      {
        type: 'data-background-tasks',
        data: { tasks: [{ taskId: 't', kind: 'local_bash', description: 'd' }] },
        transient: true,
      },
    ],
    [
      'a compaction is a part',
      system('compact_boundary', { compact_metadata: { trigger: 'auto', pre_tokens: 9, post_tokens: 2 } }),
      { type: 'data-compaction', id: 'u', data: { trigger: 'auto', preTokens: 9, postTokens: 2 } },
    ],
    [
      'a line for a person is a part',
      system('informational', { content: 'Careful.', level: 'warning' }),
      { type: 'data-notice', id: 'u', data: { text: 'Careful.', level: 'warning' } },
    ],
    [
      'a line that a store refused is one for a person, without what the store is',
      system('mirror_error', { error: 'No room in /srv/chats.' }),
      {
        type: 'data-notice',
        id: 'u',
        data: {
          text: 'A part of this chat could not be stored: an agent that continues it may not know that part.',
          level: 'warning',
        },
      },
    ],
    [
      'another model is a line for a person',
      system('model_fallback', { content: 'Another model answers.' }),
      { type: 'data-notice', id: 'u', data: { text: 'Another model answers.', level: 'warning' } },
    ],
    [
      'what a local command wrote is a line for a person',
      {
        type: 'user',
        uuid: 'u',
        message: { content: '<local-command-stdout>Compacted </local-command-stdout>' },
      } as AnyMessage,
      { type: 'data-notice', id: 'u', data: { text: 'Compacted', level: 'info' } },
    ],
    [
      'a limit is transient',
      { type: 'rate_limit_event', rate_limit_info: { status: 'allowed_warning', resetsAt: 5 } } as AnyMessage,
      { type: 'data-rate-limit', data: { status: 'allowed_warning', resetsAt: 5 }, transient: true },
    ],
    [
      'a title is transient',
      system('session_title_changed', { title: 'Tests' }),
      { type: 'data-title', data: { title: 'Tests' }, transient: true },
    ],
    [
      'a suggestion is transient',
      { type: 'prompt_suggestion', suggestion: 'Run it.' } as AnyMessage,
      { type: 'data-suggestion', data: { suggestion: 'Run it.' }, transient: true },
    ],
    [
      'a history that was cleared is a part',
      { type: 'conversation_reset', new_conversation_id: 'n' } as AnyMessage,
      { type: 'data-reset', data: { sessionId: 'n' } },
    ],
  ])('%s', (_, message, chunk) => {
    expect(dataOf(message)).toEqual([chunk]);
  });
});
