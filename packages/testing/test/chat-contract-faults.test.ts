import type { ChatHistory, ChatSessions, ChatApprovals, ChatStart, ChatStream } from '@hexagent/ports';
import type { HandChats } from '@hexagent/testing';
import {
  chatApprovalsContract,
  chatHistoryContract,
  chatSessionsContract,
  type ChatsFixture,
  type OpenedChats,
  type Runner,
} from '@hexagent/testing/contracts';
import { describe, expect, it } from 'vitest';
import { handChatsFixture } from './chat-fixture.ts';

type Contract = (runner: Runner, fixture: ChatsFixture) => void;

/** The promises that this fixture breaks; one that hangs is broken too. */
async function brokenBy(contract: Contract, fixture: ChatsFixture): Promise<readonly string[]> {
  const cases: [string, () => Promise<void>][] = [];
  const collect = (name: string, body: () => Promise<void>): unknown => cases.push([name, body]);
  contract({ describe: (_, body) => body(), it: Object.assign(collect, { skip: () => {} }) }, fixture);
  const broken = new Set(cases.map(([name]) => name));
  const running = new Set(cases);
  for (const each of cases)
    void each[1]()
      .then(
        () => broken.delete(each[0]),
        () => false,
      )
      .finally(() => running.delete(each));
  // Longer than whatever passes takes, which waits for nothing but another millisecond.
  for (let ticks = 20_000; ticks > 0 && running.size > 0; ticks -= 1)
    await new Promise((resolve) => setImmediate(resolve));
  return [...broken];
}

type Fault<Port> = readonly [what: string, change: (kept: HandChats) => Partial<Port>, promise: string];

const streamOf = (started: ChatStart): ChatStream | undefined => ('stream' in started ? started.stream : undefined);

/** Every stream of the chats, changed. */
const throughout =
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

const bodyThrough = (transform: Passing): ReturnType<typeof throughout> =>
  throughout(({ headers, body }) => ({ headers, body: body.pipeThrough(new TransformStream({ transform })) }));

const anybody = { name: 'anybody' };

const ofSessions: readonly Fault<ChatSessions>[] = [
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
      async start(chat, input, wishes, caller) {
        const started = await kept.start(chat, input, wishes, caller);
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
    (kept) => ({ start: (chat, input, wishes) => kept.start(chat, input, wishes, anybody) }),
    'keeps chats apart that different tenants call by the same id',
  ],
  [
    'joins a tenant and an id with a dot',
    (kept) => {
      const named = (tenant?: string) => ({ name: 'ada', ...(tenant && { tenant: tenant.replace(/\..*/, '') }) });
      return {
        start: (chat, input, wishes, { tenant }) => kept.start(chat, input, wishes, named(tenant)),
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
  [
    'gives a reader what comes from now on',
    (kept) => ({
      async stream(...given) {
        const stream = await kept.stream(...given);
        let isFirst = true;
        const fromNowOn = new TransformStream<Uint8Array, Uint8Array>({
          transform: (chunk, controller) => {
            if (!isFirst) controller.enqueue(chunk);
            isFirst = false;
          },
        });
        return stream && { ...stream, body: stream.body.pipeThrough(fromNowOn) };
      },
    }),
    'gives every reader the whole turn, whenever it came',
  ],
  [
    'says everything twice',
    bodyThrough((chunk, controller) => {
      controller.enqueue(chunk);
      controller.enqueue(chunk);
    }),
    'accepts a message, and streams its turn to the end',
  ],
  [
    'drops what a reader does not read in time',
    bodyThrough((chunk, controller) => {
      if (chunk.length < 1000) controller.enqueue(chunk);
    }),
    'holds up neither the agent nor other readers for one that does not read',
  ],
  [
    'does not say which format its streams have',
    throughout(({ body }) => ({ headers: {}, body })),
    'accepts a message, and streams its turn to the end',
  ],
  [
    'stops a turn with its first reader',
    (kept) => ({
      async start(chat, input, wishes, caller) {
        const started = await kept.start(chat, input, wishes, caller);
        if (started.kind !== 'accepted') return started;
        const reader = started.stream.body.getReader();
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            const { done, value } = await reader.read();
            if (done) controller.close();
            else controller.enqueue(value);
          },
          cancel: () => void kept.interrupt(chat, caller),
        });
        return { kind: 'accepted', stream: { ...started.stream, body } };
      },
    }),
    'leaves a turn running when all readers go, for those who come back',
  ],
  [
    'has a stream when the agent begins, and not before',
    () => ({ stream: async () => undefined }),
    'has a stream from the moment at which a message is accepted',
  ],
  [
    'reports a stop where nothing ran',
    (kept) => ({ interrupt: (...given) => kept.interrupt(...given).then(() => true) }),
    'reports that there was no turn to stop',
  ],
  [
    'stops nothing',
    (kept) => ({ interrupt: async (chat, { tenant }) => kept.turnOf(chat, tenant) !== undefined }),
    'stops a turn that runs, ends its streams, and takes the next message',
  ],
  [
    'stops a chat of everybody',
    (kept) => ({ interrupt: (chat) => kept.interrupt(chat, anybody) }),
    'stops no turn of another chat, nor of another tenant',
  ],
  [
    'goes on with nothing',
    () => ({ restart: async () => false }),
    'goes on with a message that was cut off when it is restarted, and streams its turn',
  ],
  [
    'goes on without a word of it',
    (kept) => ({
      stream: async (chat, caller) => (kept.receivedBy(chat).length > 1 ? await kept.stream(chat, caller) : undefined),
    }),
    'goes on with a message that was cut off when it is restarted, and streams its turn',
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
      async start(chat, input, wishes, caller) {
        const isKnown = kept.receivedBy(chat, caller.tenant).some(({ id }) => id === input.id);
        return isKnown
          ? { kind: 'duplicate', stream: kept.turnOf(chat, caller.tenant)?.read() }
          : await kept.start(chat, input, wishes, caller);
      },
    }),
    'goes on with a message that was cut off when it is sent again',
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
    'goes on with no chat of another tenant, and discards nothing of it',
  ],
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
    'lists to a tenant its own chats, and to nobody else',
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

const ofHistory: readonly Fault<ChatHistory>[] = [
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
          state: 'idle',
        },
    }),
    'has nothing of a chat that is not there',
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

const ofApprovals: readonly Fault<ChatApprovals>[] = [
  [
    'gives the agent no answer',
    () => ({ settle: async () => ({ kind: 'settled' }) }),
    'gives an approval to the agent, which goes on',
  ],
  [
    'allows what was denied',
    (kept) => ({
      settle: (chat, id, answer, caller) => kept.settle(chat, id, { ...answer, approved: true }, caller),
    }),
    'gives a refusal to the agent, with its reason',
  ],
  [
    'loses the reason',
    (kept) => ({
      settle: (chat, id, answer, caller) => kept.settle(chat, id, { ...answer, reason: undefined }, caller),
    }),
    'gives a refusal to the agent, with its reason',
  ],
  [
    'calls every answer settled',
    (kept) => ({ settle: (...given) => kept.settle(...given).then(() => ({ kind: 'settled' })) }),
    'lets one of many answers count that come at the same time',
  ],
  [
    'forgets what was answered',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'already' ? { kind: 'unknown' } : settlement;
      },
    }),
    'lets the first answer count, and tells the second what came of it',
  ],
  [
    'calls what is unknown answered already',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'unknown' ? { kind: 'already', state: 'lost' } : settlement;
      },
    }),
    'knows no approval that nobody asked for',
  ],
  [
    'knows approvals in every chat',
    (kept) => ({ settle: (_, ...more) => kept.settle('chat', ...more) }),
    'knows an approval in its own chat only, and for its own tenant',
  ],
  [
    'knows approvals of every tenant',
    (kept) => ({ settle: (chat, id, answer) => kept.settle(chat, id, answer, anybody) }),
    'knows an approval in its own chat only, and for its own tenant',
  ],
  [
    'takes over every suggestion',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const all = await kept.settle(chat, id, { ...answer, suggestions: [0, 1] }, caller);
        return all.kind === 'refused' ? await kept.settle(chat, id, answer, caller) : all;
      },
    }),
    'takes over no suggestion unless it was chosen',
  ],
  [
    'takes over none',
    (kept) => ({
      settle: (chat, id, { suggestions: _, ...answer }, caller) => kept.settle(chat, id, answer, caller),
    }),
    'takes over the suggestions that were chosen, and no others',
  ],
  [
    'takes an answer for one that fits',
    (kept) => ({
      settle: (chat, id, { approved, reason }, caller) => kept.settle(chat, id, { approved, reason }, caller),
    }),
    'refuses an answer that does not fit, says why, and still waits',
  ],
  [
    'loses the answer to a question',
    (kept) => ({
      settle: (chat, id, answer, caller) =>
        kept.settle(chat, id, answer.answers === undefined ? answer : { ...answer, answers: {} }, caller),
    }),
    'gives the answers to a question to the agent',
  ],
  [
    'approves a question without an answer',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const settlement = await kept.settle(chat, id, answer, caller);
        return settlement.kind === 'refused' && answer.approved
          ? await kept.settle(chat, id, { ...answer, answers: {} }, caller)
          : settlement;
      },
    }),
    'refuses to approve a question without an answer to it',
  ],
  [
    'loses the changed plan',
    (kept) => ({
      settle: (chat, id, answer, caller) =>
        kept.settle(chat, id, answer.plan === undefined ? answer : { ...answer, plan: '' }, caller),
    }),
    'gives a plan to the agent as the person changed it',
  ],
  [
    'settles what it refuses',
    (kept) => ({
      settle: async (chat, id, answer, caller) => {
        const settlement = await kept.settle(chat, id, answer, caller);
        if (settlement.kind === 'refused') await kept.settle(chat, id, { approved: false }, caller);
        return settlement;
      },
    }),
    'refuses an answer that does not fit, says why, and still waits',
  ],
  [
    'settles what was withdrawn',
    (kept) => ({
      settle: async (...given) => {
        const settlement = await kept.settle(...given);
        return settlement.kind === 'already' && settlement.state === 'cancelled' ? { kind: 'settled' } : settlement;
      },
    }),
    'does nothing with an answer to what was withdrawn',
  ],
];

/** The same chats, of which some methods are replaced. */
function changed<Port extends object>(kept: HandChats, change: (kept: HandChats) => Partial<Port>): HandChats {
  const replaced = change(kept);
  return new Proxy(kept, {
    get(target, name) {
      const value: unknown = Reflect.get(replaced, name) ?? Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

function findsAll<Port extends object>(
  contract: Contract,
  place: keyof OpenedChats & ('sessions' | 'history' | 'approvals'),
  faults: readonly Fault<Port>[],
): void {
  it.each(faults)('finds some that %s', async (_, change, promise) => {
    const fixture = handChatsFixture((kept) => ({ [place]: changed(kept, change) }));
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
        handChatsFixture((kept) => ({ [place]: changed(kept, change) })),
      ))
        broken.add(name);
    expect(names.filter((name) => !broken.has(name))).toEqual([]);
  });
}

describe('The contract of chats', () => findsAll(chatSessionsContract, 'sessions', ofSessions));
describe('The contract of their history', () => findsAll(chatHistoryContract, 'history', ofHistory));
describe('The contract of their approvals', () => findsAll(chatApprovalsContract, 'approvals', ofApprovals));
