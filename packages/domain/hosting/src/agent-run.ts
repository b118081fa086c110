import {
  AgentExitedError,
  errorText,
  formatExit,
  type Exit,
  type HostedAgent,
  type InterruptOutcome,
  type TurnOutcome,
  type Turn,
  type UserInput,
} from '@hexagent/ports';
import { attempt } from '@hexagent/async';
import { TurnOrder, TurnReading } from './turn-order.ts';
import type { HostEvent } from './host-events.ts';

export interface AgentRunEvents {
  readonly emit: (event: HostEvent) => void;
  /** An unsolicited turn began. */
  readonly busy: () => void;
  /** Whether a person is asked. */
  readonly waits: (isWaiting: boolean) => void;
  /** No turn, task or queued message is alive. */
  readonly quiet: () => void;
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

const cuts: ReadonlySet<unknown> = new Set(['AGENT_EXITED', 'CHANNEL_CLOSED', 'CONVERSATION_CLOSED']);

/** One agent of a session, from its start to its exit: everything it sends is read, with or without observers. */
export class AgentRun {
  readonly agent: HostedAgent;
  readonly #events: AgentRunEvents;
  readonly #reading = new Set<Promise<unknown>>();
  readonly #stopWatching: () => void;
  /** The turns of messages that the agent has not finished. */
  readonly #turns = new Map<string, Turn>();
  readonly #order = new TurnOrder();
  #idleWaits = 0;

  constructor(agent: HostedAgent, events: AgentRunEvents) {
    this.agent = agent;
    this.#events = events;
    this.#stopWatching = agent.pending?.onChange?.(() => this.#reviewPending()) ?? (() => {});
    this.#keep(this.#readTurns());
    this.#keep(this.#readMessages());
    let refusal: unknown;
    agent.ready.catch((error: unknown) => {
      refusal = error;
    });
    void agent.exited.then(async (exit) => {
      this.#stopWatching();
      // A turn that had its result before the exit is not cut off by it.
      while (this.#reading.size > 0) await Promise.allSettled(this.#reading);
      events.gone(toExitError(exit, refusal));
    });
  }

  /** Sends a message, and resolves when the agent has finished it. */
  send(input: UserInput): Promise<SentEnd> {
    const end = this.#send(input);
    this.#keep(end);
    return end;
  }

  /** Stops the turn of a message, or takes the message out of the agent's queue. */
  async interrupt(uuid: string): Promise<InterruptOutcome> {
    return (await this.#turns.get(uuid)?.interrupt()) ?? 'too_late';
  }

  /** Waits for what the agent continues with by itself. `false` when it died before. */
  async hasFinished(): Promise<boolean> {
    try {
      await this.agent.ready;
      await this.agent.idle();
      return true;
    } catch {
      return false;
    }
  }

  async #send(input: UserInput): Promise<SentEnd> {
    try {
      const turn = this.agent.send(input);
      this.#turns.set(turn.id, turn);
      this.#watchIdle();
      return await this.#follow(turn, false).finally(() => this.#turns.delete(turn.id));
    } catch (error) {
      if (isCut(error)) return { kind: 'cut', error };
      throw error;
    }
  }

  async #follow(turn: Turn, isUnsolicited: boolean): Promise<SentEnd> {
    const { emit } = this.#events;
    let hasStarted = false;
    const start = (): void => {
      if (!hasStarted) emit({ kind: 'turn_started', turn: turn.id, isUnsolicited });
      hasStarted = true;
    };
    const reading = new TurnReading(turn);
    try {
      for await (const message of turn) {
        const isStarted = message.type === 'command_lifecycle' && message.state === 'started';
        // Stored at once, whatever is reported before it.
        if (isStarted) this.#events.begun(message.command_uuid);
        const earlier = this.#order.earlierThan(reading);
        if (earlier !== undefined) await earlier.hasRead();
        if (isStarted) this.#order.begin(reading);
        // A message that joins another turn has no others, and is reported within that.
        if (message.type !== 'command_lifecycle') this.#order.take(reading);
        if (isStarted || message.type !== 'command_lifecycle') start();
        emit({ kind: 'message', turn: turn.id, message });
        reading.step();
      }
    } catch {
      // The result has the same error.
    }
    reading.step();
    try {
      const outcome = await turn.result;
      emit({ kind: 'turn_ended', turn: turn.id, outcome });
      return { kind: 'ended', outcome };
    } catch (error) {
      emit({ kind: 'turn_cut', turn: turn.id, error });
      if (isCut(error)) return { kind: 'cut', error };
      throw error;
    } finally {
      this.#order.leave(reading);
    }
  }

  async #readTurns(): Promise<void> {
    try {
      for await (const turn of this.agent.turns) {
        this.#events.busy();
        this.#watchIdle();
        const ended = this.#follow(turn, true).then((end) => {
          if (end.kind === 'ended') this.#events.unsolicited(end.outcome);
        });
        this.#keep(ended);
      }
    } catch {
      // The exit is reported by itself.
    }
  }

  async #readMessages(): Promise<void> {
    try {
      for await (const message of this.agent.messages) this.#events.emit({ kind: 'message', turn: undefined, message });
    } catch {
      // The exit is reported by itself.
    }
  }

  /** The last of those who wait reports it, so that a message sent meanwhile is waited for too. */
  #watchIdle(): void {
    this.#idleWaits += 1;
    const own = this.#idleWaits;
    attempt(() => this.agent.idle()).then(
      () => {
        if (own === this.#idleWaits) this.#events.quiet();
      },
      () => {},
    );
  }

  #reviewPending(): void {
    this.#events.waits((this.agent.pending?.list().length ?? 0) > 0);
  }

  #keep(reading: Promise<unknown>): void {
    this.#reading.add(reading);
    const forget = (): void => void this.#reading.delete(reading);
    reading.then(forget, forget);
  }
}

/** Whether a message was cut off with its agent, rather than refused. */
function isCut(error: unknown): boolean {
  const code: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined;
  const name: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'name') : undefined;
  return cuts.has(code) || name === 'AbortError';
}

/** With why the agent could not start up, where that is known: its exit alone may be one in order. */
function toExitError(exit: Exit, refusal: unknown): AgentExitedError {
  const ended = `The agent ended: ${formatExit(exit)}`;
  if (refusal === undefined) return new AgentExitedError(ended, { exit });
  return new AgentExitedError(`${ended} It could not start up: ${errorText(refusal)}`, { exit }, { cause: refusal });
}
