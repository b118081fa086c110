import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createChat, toNodeListener, type Chat, type ChatOptions } from '@hexagent/chat';
import type { Script } from '@hexagent/testing/loopback';
import { DefaultChatTransport, type AbstractChat, type ChatInit, type UIMessage } from 'ai';
import { stage, type Stage } from '../support/stage.ts';

/** What `useChat` holds on a page. */
export type AiChat = AbstractChat<UIMessage>;

// Not by its name: its types bring those of React, which declare elements of a page for all tests.
const aiSdkForReact: string = '@ai-sdk/react';
const { Chat: AiChat } = (await import(aiSdkForReact)) as { Chat: new (init: ChatInit<UIMessage>) => AiChat }; // as it is documented

/** A chat with the real CLI behind it, served over HTTP, and the pages that use it. */
export interface ChatPlace extends AsyncDisposable {
  readonly stage: Stage;
  readonly chat: Chat;
  readonly url: string;
  readonly errors: unknown[];
  /** A page with the default transport of `useChat`. */
  page(options?: { readonly id?: string; readonly messages?: UIMessage[] }): AiChat;
  /** A request of a page beside `useChat`. */
  call(path: string, init?: { readonly method?: string; readonly body?: unknown }): Promise<Response>;
  /** A page that is opened anew: it has the stored messages, and reads the turn that runs. */
  reload(id: string): Promise<AiChat>;
}

export async function chatPlace(script: Script, options: ChatOptions = {}): Promise<ChatPlace> {
  const place = await stage(script);
  const errors: unknown[] = [];
  const chat = createChat({
    session: place.options,
    folder: false,
    onError: (error) => errors.push(error),
    ...options,
  });
  const server = createServer(toNodeListener(chat.handle)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`; // it listens on TCP
  const call: ChatPlace['call'] = (path, { method, body } = {}) =>
    fetch(`${url}${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
  const pageAt = (id: string, messages: UIMessage[], cursor = ''): ReturnType<ChatPlace['page']> => {
    const prepareReconnectToStreamRequest = (): { api: string } => ({
      api: `${url}/chat/${id}/stream?after=${encodeURIComponent(cursor)}`,
    });
    const own = cursor === '' ? {} : { prepareReconnectToStreamRequest };
    return new AiChat({ id, messages, transport: new DefaultChatTransport({ api: `${url}/chat`, ...own }) });
  };
  const page: ChatPlace['page'] = ({ id = 'chat1', messages = [] } = {}) => pageAt(id, messages);
  return {
    stage: place,
    chat,
    url,
    errors,
    page,
    call,
    async reload(id) {
      const found = await (await call(`/sessions/${id}/messages`)).json();
      const { messages, cursor } = found as { messages: UIMessage[]; cursor: string }; // as README says
      return pageAt(id, messages, cursor);
    },
    async [Symbol.asyncDispose]() {
      await chat.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await place[Symbol.asyncDispose]();
    },
  };
}

/** The texts of a message, without what is between them. */
export const textsOf = ({ parts }: UIMessage): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
