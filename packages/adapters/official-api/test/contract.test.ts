import { describe, it } from 'vitest';
import { linkedTransport } from '@hexagent/testing';
import { conversationsContract } from '@hexagent/testing/contracts';
import { PlayedConversation, serviceOver } from './played-conversations.ts';

// What these tests stand on does what the port promises, although it remembers what it was asked.
conversationsContract(
  { describe, it },
  {
    createConversations: (parts) => ({
      open: async (options) =>
        new PlayedConversation(linkedTransport().agent).opened(await serviceOver(parts).open(options)),
    }),
  },
);
