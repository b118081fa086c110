import { isDeepStrictEqual } from 'node:util';
import type {
  AgentMessage,
  AgentProtocol,
  Channel,
  Clock,
  Exit,
  Host,
  Ids,
  ObservedEvent,
  Observer,
  ProtocolOptions,
  Warning,
  WarningListener,
} from '@hexagent/ports';
import type { LinkedAgent } from '../doubles/linked-agent.ts';
import { linkedTransport } from '../doubles/linked-transport.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { withFault } from './planted-faults.ts';
import { plainLaunch, type ReceivedFrame } from '../doubles/wire.ts';

/** How a protocol is made. Its parser is the fixture's own. */
export interface ProtocolFixture {
  readonly createProtocol: (ports: {
    readonly ids: Ids;
    readonly clock: Clock;
    readonly observer?: Observer | undefined;
    readonly warn?: WarningListener | undefined;
  }) => AgentProtocol;
}

/** What a suite promises: sentences and their proofs. */
export type ProtocolPromises = Readonly<Record<string, (fixture: ProtocolFixture) => Promise<void>>>;

/** An open channel, the agent at its other end, and everything that reached the host. */
export interface Opened {
  readonly channel: Channel;
  readonly agent: LinkedAgent;
  readonly clock: ManualClock;
  readonly messages: readonly AgentMessage[];
  readonly exits: readonly Exit[];
  readonly observed: readonly ObservedEvent[];
  readonly warned: readonly Warning[];
  /** Every line that the connection was given, one that it could not write included. */
  readonly given: readonly string[];
}

export interface OpenOptions extends Partial<Omit<ProtocolOptions, 'host' | 'conversation'>> {
  readonly host?: Partial<Host> | undefined;
  /** Leave `initialize` unanswered. */
  readonly unanswered?: boolean | undefined;
}

export async function open(fixture: ProtocolFixture, options: OpenOptions = {}): Promise<Opened> {
  const { host = {}, unanswered = false, ...rest } = options;
  const { transport, agent } = linkedTransport();
  const clock = new ManualClock();
  const messages: AgentMessage[] = [];
  const exits: Exit[] = [];
  const observed: ObservedEvent[] = [];
  const warned: Warning[] = [];
  const given: string[] = [];
  const protocol = fixture.createProtocol({
    ids: countingIds(),
    clock,
    observer: { observe: (event) => observed.push(event) },
    warn: (warning) => warned.push(warning),
  });
  const connection = withFault(await transport.connect(plainLaunch()), (kept) => ({
    send: (line) => (given.push(line), kept.send(line)),
  }));
  const channel = protocol.open(connection, {
    conversation: 'contract',
    initialize: {},
    ...rest,
    host: { message: (message) => messages.push(message), exited: (exit) => exits.push(exit), ...host },
  });
  if (!unanswered) {
    answer(agent, await agent.next('initialize'));
    await channel.initialized;
  }
  return { channel, agent, clock, messages, exits, observed, warned, given };
}

/** The agent answers a request of ours. */
export function answer(agent: LinkedAgent, { request_id }: ReceivedFrame, response: object = {}): void {
  agent.write({ type: 'control_response', response: { subtype: 'success', request_id, response } });
}

/** Sends a request of the agent, and returns the `response` of the frame that answers it. */
export async function ask(
  agent: LinkedAgent,
  request: object,
  id: unknown = 'asked',
): Promise<NonNullable<ReceivedFrame['response']>> {
  agent.write({ type: 'control_request', request_id: id, request });
  const { response } = await agent.next(({ response: written }) => isDeepStrictEqual(written?.request_id, id));
  return response ?? { subtype: 'none' };
}

/** How many answers to a request of the agent's were written. */
export async function answersTo(agent: LinkedAgent, id: unknown = 'asked'): Promise<number> {
  await microtasks();
  return agent.received.filter(({ response }) => response && isDeepStrictEqual(response.request_id, id)).length;
}

/** Resolves with the outcome of the promise as a value, so that a test can check it later. */
export async function outcomeOf(promise: Promise<unknown>): Promise<unknown> {
  return await promise.then(
    (value) => value,
    (error: unknown) => error,
  );
}

/** A clock that the test advances. */
export class ManualClock implements Clock {
  #now = 0;
  #alarms: { readonly at: number; readonly callback: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  /** The number of pending callbacks. */
  get waiting(): number {
    return this.#alarms.length;
  }

  after(ms: number, callback: () => void): () => void {
    const alarm = { at: this.#now + ms, callback };
    this.#alarms.push(alarm);
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  pass(ms: number): void {
    this.#now += ms;
    const due = this.#alarms.filter(({ at }) => at <= this.#now);
    this.#alarms = this.#alarms.filter(({ at }) => at > this.#now);
    for (const { callback } of due) callback();
  }
}

function countingIds(): Ids {
  let count = 0;
  const next = (): number => (count += 1);
  return {
    request: () => `request-${next()}`,
    uuid: () => `00000000-0000-4000-8000-${String(next()).padStart(12, '0')}`,
  };
}
