import { SdkError } from '@hexagent/ports';
import type { ChatCaller, ChatDoor } from '@hexagent/ports';
import { MemoryDirectory, MemoryLeases } from '@hexagent/hosting';
import { HandChats, HandClock } from '@hexagent/testing';
import {
  agentsByHand,
  chatApprovalsContract,
  chatHistoryContract,
  chatSessionsContract,
  type ChatsFixture,
  type OpenedChats,
} from '@hexagent/testing/contracts';
import { describe, it } from 'vitest';
import { FleetChats } from '../src/index.ts';

const keyOf = (chatId: string, { tenant }: ChatCaller): string => JSON.stringify([chatId, tenant ?? null]);

/** One of the workers over the same chats: it takes a chat with its first message, and refuses those of other workers. */
async function workerDoor(owner: string, chats: HandChats, leases: MemoryLeases): Promise<ChatDoor> {
  const member = await leases.join({ owner, address: owner });
  const own = async (chatId: string, caller: ChatCaller): Promise<void> => {
    const holder = await leases.where(keyOf(chatId, caller));
    if (holder !== undefined && holder.owner !== owner) throw new SdkError('SESSION_HELD', `${holder.owner} has it.`);
  };
  const guarded = new Proxy(chats, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...args: readonly unknown[]): Promise<unknown> => {
        const caller = args.at(name === 'stream' ? 1 : -1) as ChatCaller; // as in the port
        if (name !== 'list') await own(String(args[0]), caller);
        const answer: unknown = await Reflect.apply(method, target, args);
        if (name === 'start') await leases.acquire(keyOf(String(args[0]), caller), member);
        return answer;
      };
    },
  });
  return { sessions: guarded, approvals: guarded, history: guarded, states: async () => ({}) };
}

async function open(room?: number): Promise<OpenedChats> {
  const [chats, leases] = [new HandChats({ room }), new MemoryLeases()];
  const doors = new Map<string, ChatDoor>();
  for (const owner of ['one', 'two']) doors.set(owner, await workerDoor(owner, chats, leases));
  const reach = ({ owner }: { readonly owner: string }): ChatDoor => {
    const door = doors.get(owner);
    if (door === undefined) throw new Error(`There is no worker ${owner}.`);
    return door;
  };
  const directory = new MemoryDirectory();
  const fleet = new FleetChats({ leases, directory, keyOf, reach, clock: new HandClock(), giveUpAfterMs: 9000 });
  return {
    sessions: fleet.sessions,
    approvals: fleet.approvals,
    history: fleet.history,
    ...agentsByHand(chats),
    close: () => fleet.close(),
  };
}

describe('The chats of two workers', () => {
  const fixture: ChatsFixture = { open: () => open(), openSmall: () => open(2) };
  const runner = { describe, it };
  chatSessionsContract(runner, fixture);
  chatHistoryContract(runner, fixture);
  chatApprovalsContract(runner, fixture);
});
