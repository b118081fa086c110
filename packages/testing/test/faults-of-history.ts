import type { ChatHistory } from '@hexagent/ports';

import type { Fault } from './contract-faults.ts';

export const ofHistory: readonly Fault<ChatHistory>[] = [
  [
    'has the newest first',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        return page && { ...page, messages: page.messages.toReversed() };
      },
    }),
    'has each message and its answer once, the oldest first',
  ],
  [
    'has an empty page for a chat that is not there',
    (kept) => ({
      messages: async (...given) =>
        (await kept.messages(...given)) ?? {
          messages: [],
          hasEarlier: false,
          isRunning: false,
          cursor: '',
          state: 'idle',
        },
    }),
    'has nothing of a chat that is not there',
  ],
  [
    'has a cursor that no turn ends after',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        return page && { ...page, cursor: '~' };
      },
    }),
    'has a cursor, after which the stream of a turn that ends meanwhile is still there',
  ],
  [
    'has the answer that is still being streamed',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        const half = { id: 'half', role: 'assistant', parts: [{ type: 'text', text: 'half' }] };
        return page && { ...page, messages: page.isRunning ? [...page.messages, half] : page.messages };
      },
    }),
    'has a message as soon as it is accepted, and leaves its answer to the stream of the turn',
  ],
  [
    'has a message once it is answered',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        return page && { ...page, messages: page.isRunning ? page.messages.slice(0, -1) : page.messages };
      },
    }),
    'has a message as soon as it is accepted, and leaves its answer to the stream of the turn',
  ],
  [
    'does not say that a turn runs',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        return page && { ...page, isRunning: false };
      },
    }),
    'has a message as soon as it is accepted, and leaves its answer to the stream of the turn',
  ],
  [
    'ignores before which message it is asked for',
    (kept) => ({ messages: (chat, { limit }, caller) => kept.messages(chat, { limit }, caller) }),
    'returns the last messages, and those before one of them, each once',
  ],
  [
    'ignores how many it is asked for',
    (kept) => ({ messages: (chat, page, caller) => kept.messages(chat, { ...page, limit: 100 }, caller) }),
    'returns the last messages, and those before one of them, each once',
  ],
  [
    'says that there are earlier ones where there are none',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        return page && { ...page, hasEarlier: true };
      },
    }),
    'has each message and its answer once, the oldest first',
  ],
  [
    'has all messages before one that is not there',
    (kept) => ({
      messages: async (chat, { limit, before }, caller) => {
        const { messages = [] } = (await kept.messages(chat, { limit: 100 }, caller)) ?? {};
        const isKnown = messages.some((each) => Reflect.get(each as object, 'id') === before);
        return await kept.messages(chat, isKnown && before !== undefined ? { limit, before } : { limit }, caller);
      },
    }),
    'has nothing before the first message, and nothing before one that is not there',
  ],
  [
    'calls messages by their places',
    (kept) => ({
      messages: async (...given) => {
        const page = await kept.messages(...given);
        const messages = page?.messages.map((each, at) => ({
          ...(each as object),
          id: `m${page.messages.length - at}`,
        }));
        return page && { ...page, messages: messages ?? [] };
      },
    }),
    'calls a message by the same id each time, and no two alike',
  ],
  [
    'shows the chats of everybody',
    (kept) => ({
      messages: async (chat, page, caller) =>
        (await kept.messages(chat, page, caller)) ??
        (await kept.messages(chat, page, { name: 'ada', tenant: 'north' })),
    }),
    'shows a tenant nothing of the chats of others',
  ],
];
