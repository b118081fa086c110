import type { ChatSessions } from '@hexagent/ports';

import { anybody, type Fault } from './contract-faults.ts';

export const ofMessages: readonly Fault<ChatSessions>[] = [
  [
    'runs a message again that is sent again',
    (kept) => ({
      start: (chat, { id, content }, ...more) => kept.start(chat, { id: `${id}${Math.random()}`, content }, ...more),
    }),
    'runs no message again that is sent again after its turn',
  ],
  [
    'has no stream for a message that is sent again',
    (kept) => ({
      async start(...given) {
        const started = await kept.start(...given);
        return started.kind === 'duplicate' ? { kind: 'duplicate', stream: undefined } : started;
      },
    }),
    'streams the turn of a message again that is sent again while it runs, and runs it once',
  ],
  [
    'lets every message join the turn that runs',
    (kept) => ({ start: (chat, input, _, caller) => kept.start(chat, input, { steer: true }, caller) }),
    'accepts one of several messages at the same time',
  ],
  [
    'lets none join it',
    (kept) => ({ start: (chat, input, _, caller) => kept.start(chat, input, { steer: false }, caller) }),
    'lets a message join the turn that runs, when it is to',
  ],
  [
    'runs a message that it refused',
    (kept) => ({
      async start(chat, input, sendOptions, caller) {
        const started = await kept.start(chat, input, sendOptions, caller);
        if (started.kind === 'busy') await kept.start(chat, input, { steer: true }, caller);
        return started;
      },
    }),
    'refuses another message while a turn runs, which may be sent again when it has ended',
  ],
  [
    'knows one chat',
    (kept) => ({ start: (_, ...more) => kept.start('chat', ...more) }),
    'takes the same id in another chat for another message',
  ],
  [
    'does not know case in the id of a chat',
    (kept) => ({ start: (chat, ...more) => kept.start(chat.toLowerCase(), ...more) }),
    'takes the same id in another chat for another message',
  ],
  [
    'starts chats for every tenant',
    (kept) => ({ start: (chat, input, sendOptions) => kept.start(chat, input, sendOptions, anybody) }),
    'keeps chats apart that different tenants call by the same id',
  ],
  [
    'joins a tenant and an id with a dot',
    (kept) => {
      const named = (tenant?: string) => ({ name: 'ada', ...(tenant && { tenant: tenant.replace(/\..*/, '') }) });
      return {
        start: (chat, input, sendOptions, { tenant }) => kept.start(chat, input, sendOptions, named(tenant)),
        interrupt: (chat, { tenant }) => kept.interrupt(chat, named(tenant)),
      };
    },
    'keeps chats apart that different tenants call by the same id',
  ],
  [
    'takes a message that found no room for one that was accepted',
    (kept) => {
      const refused = new Set<string>();
      return {
        async start(chat, input, ...more) {
          if (refused.has(chat)) return { kind: 'duplicate', stream: undefined };
          const started = await kept.start(chat, input, ...more);
          if (started.kind === 'full') refused.add(chat);
          return started;
        },
      };
    },
    'takes a message that found no room for one that was never sent',
  ],
];
