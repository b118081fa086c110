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

/** `held`: what was cut off waits. `crashed`: the agent ended too often. */
export type SessionState = 'idle' | 'running' | 'awaiting-approval' | 'held' | 'crashed';

/** An answer of the server that is no success, with what can be done about it. */
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

/** Reads `{ error: { message, remedy } }`; what is no JSON is a message itself. */
export function problemOf(body: string): { readonly message?: string; readonly remedy?: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    if (typeof parsed !== 'object' || parsed === null) return {};
    const error =
      'error' in parsed && typeof parsed.error === 'object' && parsed.error !== null ? parsed.error : parsed;
    return {
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

async function call(path: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(`${base}${path}`, init);
  if (!response.ok) throw new ApiError(response.status, await response.text());
  return response;
}

const post = (path: string, body: unknown): Promise<Response> =>
  call(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** The CLI keeps the conversation, so only what is new is sent and not the whole history. */
export const transport = new DefaultChatTransport<ChatMessage>({
  api: `${base}/chat`,
  prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => ({
    body: { id, messages: messages.slice(-1), trigger, messageId },
  }),
});

export async function listSessions(): Promise<readonly SessionSummary[]> {
  const { sessions } = (await (await call('/sessions')).json()) as { sessions: readonly SessionSummary[] }; // our server's
  return sessions;
}

/** A stretch of a conversation, oldest first. */
export interface Page {
  readonly messages: ChatMessage[];
  /** Whether there is more before it. */
  readonly hasEarlier: boolean;
  readonly state: SessionState;
}

const pageSize = 60;

/** The latest messages, or those before one of them. A session that nobody has written in yet has none. */
export async function loadMessages(id: string, before?: string): Promise<Page> {
  const query = new URLSearchParams({ limit: String(pageSize), ...(before !== undefined && { before }) });
  try {
    const response = await call(`/sessions/${encodeURIComponent(id)}/messages?${query.toString()}`);
    return (await response.json()) as Page; // what our own server writes
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return { messages: [], hasEarlier: false, state: 'idle' };
    throw error;
  }
}

export const deleteSession = (id: string): Promise<unknown> =>
  call(`/sessions/${encodeURIComponent(id)}`, { method: 'DELETE' });

export const interrupt = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/interrupt`, { method: 'POST' });

/** Goes on with what was cut off. */
export const restart = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/restart`, { method: 'POST' });

/** Gives up what was cut off. */
export const discard = (id: string): Promise<unknown> =>
  call(`/chat/${encodeURIComponent(id)}/discard`, { method: 'POST' });

/** Resolves with `already` where somebody else was first. */
export async function settle(id: string, approval: string, answer: Answer): Promise<'settled' | 'already'> {
  try {
    await post(`/chat/${encodeURIComponent(id)}/approvals/${encodeURIComponent(approval)}`, answer);
    return 'settled';
  } catch (error) {
    if (error instanceof ApiError && error.status === 409) return 'already';
    throw error;
  }
}
