import type { ChatAnswer } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import {
  chatApprovalsContract,
  chatHistoryContract,
  chatSessionsContract,
  type ChatsFixture,
  type OpenedChats,
  type ReceivedAnswer,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { authority } from './certificates.ts';
import { fleet, identity as key } from './fleet.ts';

const fixture = (identity: Parameters<typeof fleet>[0] = {}): ChatsFixture => {
  const open = async (room?: number): Promise<OpenedChats> => {
    const chats = new HandChats({ room });
    const { door, close } = await fleet({ chats, ...identity });
    return {
      ...door,
      close,
      async turn(chatId, { tenant }) {
        const turn = chats.turnOf(chatId, tenant);
        if (turn === undefined) throw new Error(`No turn runs in ${chatId}.`);
        return {
          write: (text) => turn.write(text),
          end: () => turn.end(),
          die: () => turn.cut(),
          async ask(asked) {
            const { id, answer } = chats.ask(chatId, asked, tenant);
            return { id, answer: answer.then(toReceived) };
          },
        };
      },
      received: (chatId, { tenant }) =>
        chats
          .receivedBy(chatId, tenant)
          .map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))),
    };
  };
  return { open: () => open(), openSmall: () => open(2) };
};

const toReceived = ({ approved, suggestions = [], ...rest }: ChatAnswer): ReceivedAnswer => ({
  approved,
  suggestions: suggestions.length,
  text: JSON.stringify(rest),
});

const runner = { describe, it };
const ours = authority('the fleet');
const byCertificate = {
  worker: { identity: ours.identity('worker') },
  gateway: { identity: ours.identity('gateway') },
};

describe.each([
  ['a shared key', fixture({ worker: { identity: key }, gateway: { identity: key } })],
  ['certificates', fixture(byCertificate)],
])('The chats of another process, reached with %s', (_, chats) => {
  chatSessionsContract(runner, chats);
  chatHistoryContract(runner, chats);
  chatApprovalsContract(runner, chats);
});
