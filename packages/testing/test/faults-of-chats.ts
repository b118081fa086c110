import type { ChatSessions } from '@hexagent/ports';

import { anybody, type Fault } from './contract-faults.ts';

export const ofChats: readonly Fault<ChatSessions>[] = [
  [
    'goes on with nothing',
    () => ({ restart: async () => false }),
    'continues a message that was cut off when it is restarted, and streams its turn',
  ],
  [
    'goes on without a word of it',
    (kept) => ({
      stream: async (chat, caller) => (kept.receivedBy(chat).length > 1 ? await kept.stream(chat, caller) : undefined),
    }),
    'continues a message that was cut off when it is restarted, and streams its turn',
  ],
  [
    'shows what was cut off as done with',
    (kept) => ({
      list: async (page, caller) =>
        (await kept.list(page, caller)).map((each) => (each.state === 'held' ? { ...each, state: 'idle' } : each)),
    }),
    'ends the stream of a turn whose agent dies, and holds its message',
  ],
  [
    'takes a message that was cut off for one that is done with',
    (kept) => ({
      async start(chat, input, sendOptions, caller) {
        const isKnown = kept.receivedBy(chat, caller.tenant).some(({ id }) => id === input.id);
        return isKnown
          ? { kind: 'duplicate', stream: kept.turnOf(chat, caller.tenant)?.read() }
          : await kept.start(chat, input, sendOptions, caller);
      },
    }),
    'continues a message that was cut off when it is sent again',
  ],
  [
    'discards nothing',
    () => ({ discard: async () => true }),
    'gives up a message that was cut off when it is discarded, and takes the next one',
  ],
  [
    'restarts what runs',
    (kept) => ({
      restart: async (chat, caller) => (await kept.interrupt(chat, caller)) || (await kept.restart(chat, caller)),
    }),
    'leaves a chat alone in which nothing was cut off, and reports that',
  ],
  [
    'restarts chats of every tenant',
    (kept) => ({
      restart: async (chat, caller) =>
        (await kept.restart(chat, caller)) || (await kept.restart(chat, { name: 'ada', tenant: 'north' })),
    }),
    'continues no chat of another tenant, and discards nothing of it',
  ],
  [
    'begins a chat with whatever it is sent',
    (kept) => ({
      start: (chat, input, sendOptions, caller) =>
        kept.start(chat, input, { ...sendOptions, continues: false }, caller),
    }),
    'begins no chat with a message that continues one, such as one that was deleted',
  ],
  ['renames nothing', () => ({ rename: async () => true }), 'renames a chat, and no chat of another tenant'],
  [
    'lists the oldest first',
    (kept) => ({ list: async (page, caller) => (await kept.list(page, caller)).toReversed() }),
    'lists chats by the page, and first the one that was used last',
  ],
  [
    'lists chats as they began',
    (kept) => ({
      list: async (page, caller) =>
        (await kept.list(page, caller)).toSorted((one, other) => (one.id < other.id ? 1 : -1)),
    }),
    'lists chats by the page, and first the one that was used last',
  ],
  [
    'lists a chat that nobody began',
    (kept) => ({
      list: async (page, caller) => [
        ...(await kept.list(page, caller)),
        { id: 'welcome', title: 'Welcome', updatedAt: 1, state: 'idle' },
      ],
    }),
    'lists nothing where there is no chat',
  ],
  [
    'lists no page but all',
    (kept) => ({ list: (_, caller) => kept.list({ limit: 100, offset: 0 }, caller) }),
    'lists chats by the page, and first the one that was used last',
  ],
  [
    'lists everything to everybody',
    (kept) => ({ list: (page) => kept.list(page, anybody) }),
    'lists to a tenant its own chats only',
  ],
  [
    'never shows that a person is asked',
    (kept) => ({
      list: async (page, caller) =>
        (await kept.list(page, caller)).map((each) => (each.state === 'idle' ? each : { ...each, state: 'running' })),
    }),
    'shows when a chat last changed, and whether something runs or waits in it',
  ],
  [
    'has times of long ago',
    (kept) => ({
      list: async (page, caller) => (await kept.list(page, caller)).map((each) => ({ ...each, updatedAt: 1 })),
    }),
    'shows when a chat last changed, and whether something runs or waits in it',
  ],
  [
    'deletes nothing',
    () => ({ delete: async () => true }),
    'deletes a chat with its turn, and reports whether there was one',
  ],
  [
    'deletes chats of other tenants',
    (kept) => ({
      delete: async (chat, caller) => {
        await kept.delete(chat, { name: 'ada', tenant: 'north' });
        return await kept.delete(chat, caller);
      },
    }),
    'deletes no chat of another tenant',
  ],
  [
    'keeps the messages of what it deletes',
    (kept) => ({
      delete: async (chat, caller) => {
        const page = await kept.messages(chat, { limit: 100 }, caller);
        const wasThere = await kept.delete(chat, caller);
        if (wasThere) kept.store(chat, (page?.messages ?? []) as never);
        return wasThere;
      },
    }),
    'begins a new chat under the id of one that was deleted',
  ],
];
