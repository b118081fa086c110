import type { ChatHandlerOptions, RequestFacts } from '../src/index.ts';
import { chatBody, type Sent } from './chat-double.ts';

export type Refusal = readonly [status: number, code: string];

export interface Attack extends Sent {
  readonly options?: Partial<ChatHandlerOptions>;
  readonly facts?: RequestFacts;
  readonly refused: Refusal;
}

export const token = 'a-token-of-this-test';
export const open = { hosts: ['chat.example.com'], token };
export const asked = { path: '/api/chat', body: chatBody() };
export const hosted = { host: 'chat.example.com', authorization: `Bearer ${token}` };
export const withParts = (parts: readonly unknown[]): object => ({
  id: 'chat1',
  message: { id: 'm', role: 'user', parts },
});
export const file = (url: string): object => withParts([{ type: 'file', mediaType: 'image/png', url }]);
export const settle = { path: '/api/chat/chat1/approvals/ask-1' };
export const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;

export const endless = (): ReadableStream<Uint8Array> =>
  new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(64 * 1024).fill(32)) });
export const silent = (): ReadableStream<Uint8Array> => new ReadableStream({ pull: () => new Promise(() => {}) });
