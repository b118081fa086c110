import { errorText } from '@hexagent/checks';
import {
  AgentExitedError,
  formatExit,
  SdkError,
  type ConversationEvent,
  type ErrorCode,
  type Exit,
  type HostedAgent,
  type InterruptOutcome,
  type TurnOutcome,
  type Turn,
  type UserInput,
} from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import type { FactWriter } from './fact-writer.ts';

export interface AgentRunEvents {
  readonly facts: Pick<FactWriter, 'add' | 'isFull' | 'settled'>;
  /** The message that was cut off with an earlier agent, and that this one may continue by itself. */
  readonly continued: () => string | undefined;
  /** An unsolicited turn began. */
  readonly busy: () => void;
  /** Whether a person is asked. */
  readonly waits: (isWaiting: boolean) => void;
  /** No turn, task or queued message is alive. */
  readonly quiet: () => void;
  /** The agent was ended since what it writes is refused: another process drives the session. */
  readonly lost: () => void;
  /** An unsolicited turn has ended. */
  readonly unsolicited: (outcome: TurnOutcome) => void;
  /** The agent has begun with the message of this uuid. */
  readonly begun: (uuid: string) => void;
  /** The agent and all it started have exited, and everything it sent was received. */
  readonly gone: (error: AgentExitedError) => void;
}

/** How the agent ended what it was sent. */
export type SentEnd =
  | { readonly kind: 'ended'; readonly outcome: TurnOutcome }
  /** The agent has exited, or was ended. */
  | { readonly kind: 'cut'; readonly error: unknown };

/** The codes of what was sent to an agent and was cut off with it. */
export const cutCodes: ReadonlySet<unknown> = new Set<ErrorCode>([
  'AGENT_EXITED',
  'CHANNEL_CLOSED',
  'CONVERSATION_CLOSED',
  'SESSION_SUSPENDED',
  'LEASE_LOST',
]);

/** What was sent to the agent and has no end. */
interface SentMessage {
  readonly turn: Turn;
  readonly end: Deferred<SentEnd>;
}

/** One agent of a session, from its start to its exit: everything that happens in it is read, with or without observers. */
export class AgentRun {
  readonly agent: HostedAgent;
  readonly #events: AgentRunEvents;
  /** By the id of the turn. */
  readonly #sent = new Map<string, SentMessage>();
  /** What waits until everything is received that the agent reported before it became idle. */
  readonly #idlers: Deferred<void>[] = [];
  /** What a person is asked, by its id. */
  readonly #asks = new Set<string>();
  #isBusy = false;
  /** The message that was cut off, until a turn has begun. */
  #cut: string | undefined;
  /** The unsolicited turn in which the agent continues a message, and that message. */
  #resumed: { readonly turn: string; readonly uuid: string } | undefined;
  /** Why it could not start up. */
  #failure: unknown;

  constructor(agent: HostedAgent, events: AgentRunEvents) {
    this.agent = agent;
    this.#events = events;
    this.#cut = events.continued();
    agent.ready.catch((error: unknown) => {
      this.#failure = error;
    });
    void this.#read(agent.events());
  }

  /** Sends a message, and resolves when the agent has finished it. */
  send(input: UserInput): Promise<SentEnd> {
    const end = new Deferred<SentEnd>();
    try {
      const turn = this.agent.send(input);
      this.#sent.set(turn.id, { turn, end });
    } catch (error) {
      cutOff(end, error);
    }
    return end.promise;
  }

  /** Stops the turn of a message, or takes the message out of the agent's queue. */
  async interrupt(uuid: string): Promise<InterruptOutcome> {
    // The message waits behind the turn in which the agent continues it.
    if (this.#resumed?.uuid === uuid) return await this.agent.interrupt();
    return (await this.#sent.get(uuid)?.turn.interrupt()) ?? 'too_late';
  }

  /** Whether a person is asked. */
  get isWaiting(): boolean {
    return this.#asks.size > 0;
  }

  /** Ends the agent, and leaves its turn unfinished. */
  async suspend(): Promise<void> {
    await (this.agent.suspend?.() ?? this.agent.close());
  }

  /** Waits for what the agent continues with by itself. `false` when it died before. */
  async hasFinished(): Promise<boolean> {
    try {
      await this.agent.ready;
      await this.agent.idle();
      if (this.#isBusy) await this.#received();
      return true;
    } catch {
      return false;
    }
  }

  async #read(events: AsyncIterable<ConversationEvent>): Promise<void> {
    const { facts } = this.#events;
    try {
      for await (const event of events) {
        this.#take(event);
        if (facts.isFull) await facts.settled();
      }
    } catch (error) {
      // More came before reading began than is kept. Without the ends of its turns, messages could run twice.
      this.#failure ??= error;
      void this.agent.close();
    }
    const exit = await this.agent.exited;
    const error = toExitError(exit, this.#failure);
    for (const idler of this.#idlers.splice(0)) idler.reject(error);
    for (const { end } of this.#sent.values()) end.resolve({ kind: 'cut', error });
    this.#sent.clear();
    this.#isBusy = false;
    this.#events.gone(error);
  }

  #take(event: ConversationEvent): void {
    switch (event.kind) {
      case 'turn_sent':
        this.#isBusy = true;
        break;
      case 'turn_started':
        this.#start(event);
        break;
      case 'message':
        this.#events.facts.add({ kind: 'message', turn: this.#uuidOf(event.turn), message: event.message });
        break;
      case 'ask_opened':
        this.#asks.add(event.ask.id);
        this.#events.waits(true);
        break;
      case 'ask_settled':
        this.#asks.delete(event.id);
        this.#events.waits(this.isWaiting);
        break;
      case 'turn_ended':
        this.#end(event.turn, event.outcome);
        break;
      case 'turn_cut':
        if (!this.#isRepeated(event.turn))
          this.#events.facts.add({ kind: 'turn_cut', turn: this.#uuidOf(event.turn), error: event.error });
        cutOff(this.#leave(event.turn), event.error);
        break;
      case 'idle':
        this.#rest();
        break;
      case 'closing':
        if (SdkError.is(event.error) && event.error.code === 'LEASE_LOST') this.#events.lost();
        break;
      case 'cache_missed':
      case 'exited':
        break;
    }
  }

  #start({ turn, isUnsolicited, within }: Extract<ConversationEvent, { readonly kind: 'turn_started' }>): void {
    this.#isBusy = true;
    if (isUnsolicited) this.#events.busy();
    else this.#events.begun(turn);
    if (isUnsolicited && this.#cut !== undefined) this.#resumed = { turn, uuid: this.#cut };
    // The agent runs the message after all.
    else if (within === undefined && this.#isRepeated(turn)) this.#resumed = undefined;
    this.#cut = undefined;
    const names = { turn: this.#uuidOf(turn), within: this.#uuidOf(within) };
    this.#events.facts.add({ kind: 'turn_started', ...names, isUnsolicited: isUnsolicited && names.turn === turn });
  }

  #end(turn: string, outcome: TurnOutcome): void {
    if (!this.#isRepeated(turn)) this.#events.facts.add({ kind: 'turn_ended', turn: this.#uuidOf(turn), outcome });
    const end = this.#leave(turn);
    if (end === undefined) this.#events.unsolicited(outcome);
    else end.resolve({ kind: 'ended', outcome });
  }

  #uuidOf<Turn extends string | undefined>(turn: Turn): Turn | string {
    return turn !== undefined && turn === this.#resumed?.turn ? this.#resumed.uuid : turn;
  }

  /** Whether the turn is that of a message which the agent continues without it: of the two, only the other one is reported. */
  #isRepeated(turn: string): boolean {
    return turn === this.#resumed?.uuid;
  }

  #leave(turn: string): Deferred<SentEnd> | undefined {
    const end = this.#sent.get(turn)?.end;
    this.#sent.delete(turn);
    return end;
  }

  /** An `idle` is outdated where a message was sent meanwhile: another one follows. */
  #rest(): void {
    if (this.#sent.size > 0) return;
    this.#isBusy = false;
    for (const idler of this.#idlers.splice(0)) idler.resolve();
    this.#events.quiet();
  }

  #received(): Promise<void> {
    const idler = new Deferred<void>().handled();
    this.#idlers.push(idler);
    return idler.promise;
  }
}

/** Settles what was sent: it was cut off with its agent, or refused. */
function cutOff(end: Deferred<SentEnd> | undefined, error: unknown): void {
  if (isCut(error)) end?.resolve({ kind: 'cut', error });
  else end?.reject(error);
}

/** Whether a message was cut off with its agent, rather than refused. */
function isCut(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  return cutCodes.has(code) || name === 'AbortError';
}

/** With why the agent could not start up, where that is known: its exit alone may be one in order. */
function toExitError(exit: Exit, refusal: unknown): AgentExitedError {
  const ended = `The agent ended: ${formatExit(exit)}`;
  if (refusal === undefined) return new AgentExitedError(ended, { exit });
  return new AgentExitedError(`${ended} It could not start up: ${errorText(refusal)}`, { exit }, { cause: refusal });
}
