import { randomBytes } from 'node:crypto';
import type { ChatDoor } from '@hexagent/ports';
import { HandChats } from '@hexagent/testing';
import { reachWorkers, serveWorker, type ReachWorkersOptions, type ServeWorkerOptions } from '../src/index.ts';

export const identity = { key: randomBytes(32) };

/** Chats by hand as the door of a worker. */
export function doorOf(chats: HandChats, change: Partial<ChatDoor> = {}): ChatDoor {
  const states: ChatDoor['states'] = async (chatIds, caller) => {
    const listed = await chats.list({ limit: 1000, offset: 0 }, caller);
    return Object.fromEntries(listed.filter(({ id }) => chatIds.includes(id)).map(({ id, state }) => [id, state]));
  };
  return { sessions: chats, approvals: chats, history: chats, states, ...change };
}

export interface Fleet {
  readonly chats: HandChats;
  readonly address: string;
  /** The chats as a gateway has them. */
  readonly door: ChatDoor;
  /** What the worker reported. */
  readonly errors: unknown[];
  close(): Promise<void>;
  closeWorker(): Promise<void>;
}

/** One worker over chats by hand, and a gateway that calls it. */
export async function fleet({
  chats = new HandChats(),
  worker = {},
  gateway = {},
}: {
  readonly chats?: HandChats;
  readonly worker?: Partial<ServeWorkerOptions>;
  readonly gateway?: Partial<ReachWorkersOptions>;
} = {}): Promise<Fleet> {
  const errors: unknown[] = [];
  const served = await serveWorker({
    door: doorOf(chats),
    address: 'https://127.0.0.1:0',
    identity,
    onError: (error) => errors.push(error),
    ...worker,
  });
  const reached = reachWorkers({ identity, ...gateway });
  return {
    chats,
    address: served.address,
    door: reached.reach({ owner: 'one', address: served.address }),
    errors,
    closeWorker: () => served.close(),
    async close() {
      reached.close();
      await served.close();
    },
  };
}
