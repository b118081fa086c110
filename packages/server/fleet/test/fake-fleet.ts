import { SdkError } from '@hexagent/ports';
import type {
  ChatApprovals,
  ChatDoor,
  ChatHistory,
  ChatSessions,
  ChatStream,
  ErrorCode,
  Lease,
  Membership,
} from '@hexagent/ports';
import { MemoryDirectory, MemoryLeases } from '@hexagent/hosting';
import { HandClock, microtasks } from '@hexagent/testing';
import { expect } from 'vitest';
import { FleetChats, type FleetParts } from '../src/index.ts';

type Answer = (...args: readonly unknown[]) => unknown;

export interface FakeWorker {
  readonly member: Membership;
  /** What was called, in order. */
  readonly calls: readonly string[];
  /** What it answers from now on. */
  on(call: string, answer: Answer): void;
}

export interface FakeFleet extends AsyncDisposable {
  readonly chats: FleetChats;
  readonly clock: HandClock;
  readonly leases: MemoryLeases;
  readonly directory: MemoryDirectory;
  add(owner: string, address?: string): Promise<FakeWorker>;
  /** Gives the lease of a chat to a worker. */
  give(worker: FakeWorker, chatId?: string): Promise<Lease>;
  pass(ms: number): Promise<void>;
}

export const caller = { name: 'ada' };
export const refusing =
  (code: ErrorCode): Answer =>
  () => {
    throw new SdkError(code, `This is ${code}.`);
  };
export const never = (): Promise<never> => new Promise(() => {});

export function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('This is missing.');
  return value;
}

function doorOf(called: (call: string, args: readonly unknown[]) => unknown): ChatDoor {
  // By its handler it has each method.
  const all = new Proxy({} as ChatSessions & ChatApprovals & ChatHistory, {
    get:
      (_, name) =>
      async (...args: readonly unknown[]) =>
        called(String(name), args),
  });
  const states: ChatDoor['states'] = async (...args) => Object(await called('states', args));
  return { sessions: all, approvals: all, history: all, states };
}

export function fakeFleet(options: Partial<FleetParts> & { readonly renewWithinMs?: number } = {}): FakeFleet {
  const clock = new HandClock();
  const [leases, directory] = [new MemoryLeases({ ...options, clock }), new MemoryDirectory()];
  const doors = new Map<string, ChatDoor>();
  const chats = new FleetChats({
    leases,
    directory,
    clock,
    keyOf: (chatId) => `key of ${chatId}`,
    reach: ({ address = '' }) => present(doors.get(address)),
    giveUpAfterMs: 20_000,
    ...options,
  });
  return {
    chats,
    clock,
    leases,
    directory,
    async add(owner, address = `at ${owner}`) {
      const calls: string[] = [];
      const answers = new Map<string, Answer>();
      const door = doorOf((call, args) => {
        calls.push(call);
        return (answers.get(call) ?? refusing('FRAME_INVALID'))(...args);
      });
      doors.set(address, door);
      const member = await leases.join({ owner, address, capacity: 20 });
      return { member, calls, on: (call, answer) => void answers.set(call, answer) };
    },
    async give({ member }, chatId = 'chat') {
      const answer = await leases.acquire(`key of ${chatId}`, member);
      if (answer.kind === 'held') throw new Error(`It is held by ${answer.owner}.`);
      return answer.lease;
    },
    async pass(ms) {
      for (let passed = 0; passed < ms; passed += 25) {
        await microtasks();
        clock.advance(Math.min(25, ms - passed));
      }
      await microtasks();
    },
    async [Symbol.asyncDispose]() {
      chats.close();
      await microtasks();
      expect(clock.waiting).toBe(0);
    },
  };
}

export interface FakeStream {
  readonly stream: ChatStream;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Why it was cancelled. */
  readonly cancels: readonly unknown[];
}

export function fakeStream(): FakeStream {
  const cancels: unknown[] = [];
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start: (own) => {
      controller = own;
    },
    cancel: (reason) => void cancels.push(reason),
  });
  return { stream: { headers: { is: 'a stream' }, body }, controller: present(controller), cancels };
}
