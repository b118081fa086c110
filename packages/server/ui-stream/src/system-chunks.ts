import { numberOr, recordOf, textOr, type Fields } from './loose.ts';
import type { UiDataChunk } from './ui-chunk.ts';

type Translate = (message: Fields) => UiDataChunk | undefined;

/** The chunks of system messages that need no state. Subtypes without an entry have none. */
export function systemChunk(message: Fields): UiDataChunk | undefined {
  const { subtype } = message;
  return typeof subtype === 'string' && Object.hasOwn(systemChunks, subtype)
    ? systemChunks[subtype]?.(message)
    : undefined;
}

const notice = (level: 'info' | 'notice' | 'warning', field: string): Translate => {
  return (message) => noticeOf(message, message[field], level);
};

const systemChunks: Readonly<Record<string, Translate>> = {
  status: ({ status, permissionMode }) => ({
    type: 'data-status',
    data: { status: textOr(status, null), ...(typeof permissionMode === 'string' && { permissionMode }) },
    transient: true,
  }),
  api_retry: ({ attempt, max_retries: maxRetries, retry_delay_ms: delayMs, error_status: status, error }) => ({
    type: 'data-retry',
    data: {
      attempt: numberOr(attempt, 0),
      maxRetries: numberOr(maxRetries, 0),
      delayMs: numberOr(delayMs, 0),
      status: numberOr(status, null),
      error: textOr(error, 'unknown'),
    },
    transient: true,
  }),
  thinking_tokens: ({ estimated_tokens: tokens }) => ({
    type: 'data-thinking-tokens',
    data: { tokens: numberOr(tokens, 0) },
    transient: true,
  }),
  compact_boundary: ({ uuid, compact_metadata: metadata }) => compaction(uuid, recordOf(metadata)),
  session_title_changed: ({ title }) => ({ type: 'data-title', data: { title: textOr(title, '') }, transient: true }),
  informational: (message) => noticeOf(message, message['content'], levelOf(message['level'])),
  notification: notice('notice', 'text'),
  model_fallback: notice('warning', 'content'),
  model_refusal_fallback: notice('warning', 'content'),
  model_refusal_no_fallback: notice('warning', 'content'),
  local_command_output: notice('info', 'content'),
  // The error itself names a database or a folder of the server.
  mirror_error: (message) =>
    noticeOf(
      message,
      'A part of this chat could not be stored: an agent that continues it may not know that part.',
      'warning',
    ),
};

function compaction(uuid: unknown, { trigger, pre_tokens: preTokens, post_tokens: postTokens }: Fields): UiDataChunk {
  return {
    type: 'data-compaction',
    id: textOr(uuid, 'compaction'),
    data: {
      ...(typeof trigger === 'string' && { trigger }),
      ...(typeof preTokens === 'number' && { preTokens }),
      ...(typeof postTokens === 'number' && { postTokens }),
    },
  };
}

/** A line for a person to read; nothing where there is nothing to read. */
export function noticeOf(
  { uuid }: Fields,
  text: unknown,
  level: 'info' | 'notice' | 'suggestion' | 'warning',
): UiDataChunk | undefined {
  const line = textOr(text, '').trim();
  if (line === '') return undefined;
  return { type: 'data-notice', ...(typeof uuid === 'string' && { id: uuid }), data: { text: line, level } };
}

function levelOf(level: unknown): 'info' | 'notice' | 'suggestion' | 'warning' {
  return level === 'notice' || level === 'suggestion' || level === 'warning' ? level : 'info';
}
