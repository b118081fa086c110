import { describe, expect, it } from 'vitest';
import {
  SdkError,
  type AgentMessage,
  type Conversation,
  type ConversationEvent,
  type ObservedEvent,
  type Turn,
} from '@hexagent/ports';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ConversationService } from '@hexagent/streaming';
import {
  answering,
  CountedIds,
  gate,
  HandClock,
  linkedTransport,
  microtasks,
  plainLaunch,
  RecordingObserver,
  reply,
  scriptedAgent,
  type Gate,
  type LinkedAgent,
  type Step,
} from '@hexagent/testing';
import { randomBelow } from './support.ts';

/** What a program may do to a conversation, in any order, with an agent that now and then hangs, asks, delegates or dies. */
class Program {
  readonly observer = new RecordingObserver();
  readonly clock = new HandClock();
  readonly turns: Turn[] = [];
  /** Whatever was begun: all of it has to come to an end. */
  readonly promises: Promise<unknown>[] = [];
  readonly #next: (below: number) => number;
  readonly #gates: Gate[] = [];
  readonly #decisions: (() => void)[] = [];
  readonly #controller = new AbortController();
  readonly #readers: AsyncIterator<unknown>[] = [];
  readonly #agent: LinkedAgent;
  readonly #opening: Promise<Conversation>;
  readonly #mayMiss: boolean;
  readonly #readsAll: boolean;
  readonly #events: ConversationEvent[] = [];
  #hasMissed = false;

  constructor(seed: number) {
    this.#next = randomBelow(seed);
    this.#readsAll = this.#next(3) === 0;
    this.#mayMiss = seed % 2 === 0;
    const { transport, agent } = linkedTransport(scriptedAgent({ turns: () => [...this.#steps(), 'end'] }));
    this.#agent = agent;
    const { clock, observer } = this;
    const ids = new CountedIds();
    const protocol = new JsonRpcProtocol({ parser: wireParser, ids, clock, observer });
    this.#opening = new ConversationService({ transport, protocol, clock, ids, observer }).open({
      launch: { ...plainLaunch(), args: ['--permission-prompt-tool=stdio'] },
      signal: this.#controller.signal,
      softMarkBytes: 4000,
      hardMarkBytes: 8000,
      features: [answering({ can_use_tool: () => this.#decide() })],
    });
  }

  /** What was reported, in order. */
  get events(): readonly ConversationEvent[] {
    return this.#events;
  }

  /** Whether the reader was too slow: one that may miss events has no more than it read. */
  get hasMissed(): boolean {
    return this.#hasMissed;
  }

  async live(): Promise<void> {
    const conversation = await this.#opening;
    if (this.#readsAll) this.#readers.push(conversation.allMessages());
    const reader = conversation.events({ mayMiss: this.#mayMiss });
    this.promises.push(this.#collect(reader));
    for (let count = 0; count < 25; count += 1) {
      this.#act(conversation, this.#next(30));
      if (this.#next(2) === 0) await microtasks(this.#next(40));
    }
    this.promises.push(conversation.close());
    await microtasks();
    this.clock.advance(60_000);
    await microtasks();
  }

  async #collect(reader: AsyncIterable<ConversationEvent>): Promise<void> {
    try {
      for await (const event of reader) this.#events.push(event);
    } catch (error) {
      if (!this.#mayMiss || !SdkError.is(error) || error.code !== 'MESSAGES_DISCARDED') throw error;
      this.#hasMissed = true;
    }
  }

  #act(conversation: Conversation, choice: number): void {
    const turn = this.turns[this.#next(this.turns.length || 1)];
    if (choice < 8) this.#try(() => this.turns.push(conversation.send('go')));
    else if (choice < 11) this.promises.push(conversation.interrupt());
    else if (choice < 14 && turn !== undefined) this.promises.push(turn.interrupt());
    else if (choice < 16 && turn !== undefined) this.promises.push(turn.result);
    else if (choice < 18 && turn !== undefined) this.#try(() => this.#readers.push(turn[Symbol.asyncIterator]()));
    else if (choice === 18) this.#readers.push(conversation.messages[Symbol.asyncIterator]());
    else if (choice === 19) this.#readers.push(conversation.turns[Symbol.asyncIterator]());
    else if (choice < 22) for (const reader of this.#readers) this.promises.push(reader.next());
    else if (choice === 22) this.promises.push(conversation.idle());
    else if (choice < 25) this.#gates.shift()?.open();
    else if (choice < 27) this.#decisions.shift()?.();
    else if (choice === 27) this.promises.push(conversation.control('mcp_status'));
    else this.#end(conversation, this.#next(20));
  }

  #end(conversation: Conversation, choice: number): void {
    if (choice === 0) this.promises.push(conversation.close());
    else if (choice < 5) this.promises.push(conversation.finish());
    else if (choice === 5) this.#controller.abort('enough');
    else if (choice === 6) this.#agent.exit({ code: 1, stderr: 'died' });
    else void this.#readers.pop()?.return?.();
  }

  #try(act: () => unknown): void {
    try {
      act();
    } catch (error) {
      if (!SdkError.is(error) || !/^(?:CONVERSATION_CLOSED|TURN_READ)$/.test(error.code)) throw error;
    }
  }

  #steps(): Step[] {
    return Array.from({ length: this.#next(3) }, () => this.#step(this.#next(6)));
  }

  #step(choice: number): Step {
    const held = gate();
    if (choice < 3) this.#gates.push(held);
    if (choice === 0) return reply.hold(held);
    if (choice === 1) return reply.subagent('look around', { until: held });
    if (choice === 2) return reply.tool('Bash', { command: 'sleep' }, { until: held });
    if (choice === 3) return reply.tool('Bash', { command: 'touch x' }, { asks: true });
    return choice === 4 ? reply.shell('tail -f x') : reply.text('x'.repeat(3000));
  }

  #decide(): Promise<{ behavior: 'allow' }> {
    return new Promise((resolve) => this.#decisions.push(() => resolve({ behavior: 'allow' })));
  }
}

/** What has not settled, by its place. */
async function pendingOf(promises: readonly Promise<unknown>[]): Promise<number[]> {
  const settled = new Set<number>();
  for (const [index, promise] of promises.entries())
    promise.then(
      () => settled.add(index),
      () => settled.add(index),
    );
  await microtasks();
  return promises.flatMap((_, index) => (settled.has(index) ? [] : [index]));
}

/** The events of each turn, in short. */
function turnsIn(events: readonly ConversationEvent[]): Map<string, string> {
  const turns = new Map<string, string>();
  for (const event of events) {
    if (!('turn' in event) || event.turn === undefined) continue;
    const { kind } = event;
    const name = kind === 'message' ? messageName(event.message) : kind;
    turns.set(event.turn, `${turns.get(event.turn) ?? ''}${name} `);
  }
  return turns;
}

function messageName({ type }: AgentMessage): string {
  return type === 'command_lifecycle' || type === 'result' ? type : 'message';
}

/** One turn: its message is sent, it begins, has messages and a result, and ends once. */
const turnOrder =
  /^(?:turn_sent )?(?:command_lifecycle )*(?:turn_started (?:message |command_lifecycle )*(?:result (?:command_lifecycle )*)?)?(?:turn_ended|turn_cut) $/u;

function expectOrder({ events, turns }: Program): void {
  for (const [, turn] of turnsIn(events)) expect(turn).toMatch(turnOrder);
  const kinds = events.map(({ kind }) => kind);
  expect(kinds.indexOf('exited')).toBe(kinds.length - 1);
  const closing = kinds.indexOf('closing');
  expect(kinds.slice(closing < 0 ? kinds.length : closing)).not.toContain('message');
  const sent = events.flatMap((event) => (event.kind === 'turn_sent' ? [event.turn] : []));
  expect(sent).toEqual(turns.map(({ id }) => id));
}

const isEnd = ({ kind }: ObservedEvent): boolean => kind === 'turn_ended' || kind === 'turn_failed';

describe('A conversation with any calls, in any order,', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))(
    'nothing hangs once it is closed, and each turn ends once (seed %i)',
    async (seed) => {
      const program = new Program(seed);
      await program.live();
      expect(await pendingOf(program.promises)).toEqual([]);
      expect(await pendingOf(program.turns.map((turn) => turn.result))).toEqual([]);
      const ends = program.observer.events.flatMap((event) => (isEnd(event) && 'id' in event ? [event.id] : []));
      expect(ends.toSorted()).toEqual([...new Set(ends)].toSorted());
      for (const { id } of program.turns) expect(ends).toContain(id);
      expect(program.clock.waiting).toBe(0);
      if (!program.hasMissed) expectOrder(program);
    },
  );
});
