import type { ChatSessions, ChatStart, ChatStream } from '@hexagent/ports';
import type { HandChats } from '@hexagent/testing';
import {
  brokenPromises,
  type ChatsFixture,
  type OpenedChats,
  type Runner,
  withFault,
} from '@hexagent/testing/contracts';
import { expect, it } from 'vitest';
import { handChatsFixture } from './chat-fixture.ts';

type Contract = (runner: Runner, fixture: ChatsFixture) => void;

// Longer than whatever passes takes, which waits for nothing but another millisecond.
const brokenBy = (contract: Contract, fixture: ChatsFixture): Promise<readonly string[]> =>
  brokenPromises((runner) => contract(runner, fixture), { rounds: 20_000 });

export type Fault<Port> = readonly [what: string, change: (kept: HandChats) => Partial<Port>, promise: string];

const streamOf = (started: ChatStart): ChatStream | undefined => ('stream' in started ? started.stream : undefined);

/** Every stream of the chats, changed. */
export const throughout =
  (change: (stream: ChatStream) => ChatStream) =>
  (kept: HandChats): Partial<ChatSessions> => ({
    async start(...given) {
      const started = await kept.start(...given);
      const stream = streamOf(started);
      return stream === undefined ? started : ({ ...started, stream: change(stream) } as ChatStart); // it had one
    },
    async stream(...given) {
      const stream = await kept.stream(...given);
      return stream && change(stream);
    },
  });

type Passing = (chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) => void;

export const bodyThrough = (transform: Passing): ReturnType<typeof throughout> =>
  throughout(({ headers, body }) => ({ headers, body: body.pipeThrough(new TransformStream({ transform })) }));

export const anybody = { name: 'anybody' };

export function findsAll<Port extends object>(
  contract: Contract,
  place: keyof OpenedChats & ('sessions' | 'history' | 'approvals'),
  faults: readonly Fault<Port>[],
): void {
  it.each(faults)('finds some that %s', async (_, change, promise) => {
    const fixture = handChatsFixture((kept) => ({
      [place]: withFault(kept, (chats) => change(chats) as Partial<HandChats>),
    }));
    expect(await brokenBy(contract, fixture)).toContain(promise);
  });

  it('finds nothing wrong with those that keep every promise', async () => {
    expect(await brokenBy(contract, handChatsFixture())).toEqual([]);
  });

  it('has a promise that a fault breaks for each of its tests', async () => {
    const names: string[] = [];
    const collect = (name: string): unknown => names.push(name);
    contract({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => {} }) }, handChatsFixture());
    const broken = new Set<string>();
    for (const [, change] of faults)
      for (const name of await brokenBy(
        contract,
        handChatsFixture((kept) => ({ [place]: withFault(kept, (chats) => change(chats) as Partial<HandChats>) })),
      ))
        broken.add(name);
    expect(names.filter((name) => !broken.has(name))).toEqual([]);
  });
}
