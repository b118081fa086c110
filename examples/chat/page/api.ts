import { DefaultChatTransport } from 'ai';
import type { Answer, ChatMessage } from './wire.ts';

const base = '/api';

export interface SessionSummary {
  readonly id: string;
  readonly title?: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
  readonly state: SessionState;
}

/** `failed`: idle after a turn that failed. `held`: what was cut off waits. `crashed`: the agent ended too often. */
export type SessionState = 'idle' | 'failed' | 'running' | 'awaiting-approval' | 'held' | 'crashed';

/** A response that reports a failure, with what can be done about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly remedy: string | undefined;

  constructor(status: number, body: string) {
    const { message, remedy } = problemOf(body);
    super(message ?? `The server answered ${status}.`);
    this.status = status;
    this.remedy = remedy;
  }
}

interface Problem {
  readonly code?: string;
  readonly message?: string;
  readonly remedy?: string;
}

/** Reads `{ error: { code, message, remedy } }`; another text is the message. */
export function problemOf(body: string): Problem {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return {};
    const error =
      'error' in parsed && typeof parsed.error === 'object' && parsed.error !== null ? parsed.error : parsed;
    return {
      ...('code' in error && typeof error.code === 'string' && { code: error.code }),
      ...('message' in error && typeof error.message === 'string' && { message: error.message }),
      ...('remedy' in error && typeof error.remedy === 'string' && { remedy: error.remedy }),
    };
  } catch {
    return body.trim() === '' ? {} : { message: body };
  }
}

/** Whether the server did not take a message: `useChat` then has the body of the response as the message of its error. */
export const isRefusal = (error: Error | undefined): boolean =>
  error !== undefined && error.message.startsWith('{') && problemOf(error.message).message !== undefined;

/** Whether it was refused since its chat does not exist any more. */
export const isForDeleted = (error: Error | undefined): boolean =>
  error !== undefined && problemOf(error.message).code === 'CHAT_NOT_FOUND';

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(`${base}${path}`, init);
  if (!response.ok) throw new ApiError(response.status, await response.text());
  return response;
}

const post = (path: string, body: unknown): Promise<Response> =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Where each chat stood when its messages were read. */
const cursors = new Map<string, string>();

/**
 * The CLI keeps the conversation, so only what is new is sent and not the whole history. A message that is not the first one
 * begins no chat: a chat that was deleted on another page stays deleted.
 */
export const transport = new DefaultChatTransport<ChatMessage>({
  api: `${base}/chat`,
  prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
    body: { id, messages: messages.slice(-1), trigger, messageId, continues: messages.length > 1 },
  }),
  // A turn that has ended since the messages were read has its stream all the same.
  prepareReconnectToStreamRequest: ({ id }) => {
    const query = new URLSearchParams({ after: cursors.get(id) ?? '' });
    return { api: `${base}/chat/${encodeURIComponent(id)}/stream?${query.toString()}` };
  },
});

interface SessionPage {
  readonly sessions: readonly SessionSummary[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

export async function listSessions(): Promise<SessionPage> {
  return (await (await call('/sessions')).json()) as SessionPage; // what our own server writes
}

/** Sends a message while a turn runs, which takes it up at its next step. Its answer is in the stream of the turn. */
export async function steer(id: string, message: ChatMessage): Promise<void> {
  const response = await post('/chat', { id, message, steer: true, continues: true });
  await response.body?.cancel();
}

/** A stretch of a conversation, oldest first. */
export interface Page {
  readonly messages: ChatMessage[];
  /** Whether there is more before it. */
  readonly hasEarlier: boolean;
  /** Passed on when the stream is requested. */
  readonly cursor: string;
  readonly state: SessionState;
}

const pageSize = 60;

/** The latest messages, or those before one of them. `undefined` where there is no such chat. */
export async function loadMessages(id: string, before?: string): Promise<Page | undefined> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) });
  try {
    const response = await call(`/sessions/${encodeURIComponent(id)}/messages?${query.toString()}`);
    const page = (await response.json()) as Page; // what our own server writes
    if (before === undefined) cursors.set(id, page.cursor);
    return page;
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return undefined;
    throw error;
  }
}

export const renameSession = (id: string, title: string): Promise<unknown> =>
  post(`/sessions/${encodeURIComponent(id)}/rename`, { title });

/** One that another page has deleted before is deleted. */
export async function deleteSession(id: string): Promise<void> {
  try {
    // Sent to its end also where the page is closed meanwhile.
    await call(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE', keepalive: true });
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  }
}

export const interrupt = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/interrupt`, { method: 'POST' });

/** Continues with what was cut off. */
export const restart = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/restart`, { method: 'POST' });

/** Gives up what was cut off. */
export const discard = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/discard`, { method: 'POST' });

/** Resolves with `already` where another answer came first. */
export async function settle(id: string, approval: string, answer: Answer): Promise<'settled' | 'already'> {
  try {
    await post(`/chat/${encodeURIComponent(id)}/approvals/${encodeURIComponent(approval)}`, answer);
    return 'settled';
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return 'already';
    throw error;
  }
}
