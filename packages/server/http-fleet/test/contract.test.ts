import { HandChats } from '@hexagent/testing';
import {
  agentsByHand,
  chatApprovalsContract,
  chatHistoryContract,
  chatSessionsContract,
  type ChatsFixture,
  type OpenedChats,
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
      ...agentsByHand(chats),
    };
  };
  return { open: () => open(), openSmall: () => open(2) };
};

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
