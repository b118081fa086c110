import type { AgentMessage, CommandLifecycleMessage, InitMessage, ResultMessage, TurnOutcome } from '@hexagent/ports';
import { answered, type LiveTurn } from './live-turn.ts';
import { outcomeOf } from './outcome.ts';

export interface LedgerEvents {
  /** The agent begins a turn that nobody sent. */
  readonly unsent: () => LiveTurn;
  readonly started: (turn: LiveTurn) => void;
  readonly ended: (turn: LiveTurn, outcome: TurnOutcome) => void;
}

/**
 * Knows which turn a frame belongs to. The agent runs one turn at a time; `command_lifecycle` says which message began
 * it, `init` says it again, and `result` names every message it answers: several, when queued ones were merged into
 * one turn or folded into a running one.
 */
export class TurnLedger {
  readonly #events: LedgerEvents;
  readonly #open = new Map<string, LiveTurn>();
  #current: LiveTurn | undefined;
  /** An older agent says nothing of messages; then they are answered in the order they were sent. */
  #lifecycleSeen = false;
  #cost = 0;

  constructor(events: LedgerEvents) {
    this.#events = events;
  }

  get current(): LiveTurn | undefined {
    return this.#current;
  }

  /** Turns without an outcome, the oldest first. */
  get open(): ReadonlyMap<string, LiveTurn> {
    return this.#open;
  }

  add(turn: LiveTurn): void {
    this.#open.set(turn.id, turn);
  }

  /** Takes a turn out that never reached the agent, or that will never be answered. */
  drop(turn: LiveTurn): void {
    this.#open.delete(turn.id);
    if (this.#current === turn) this.#current = undefined;
  }

  /** The turn a frame belongs to; `undefined` when it belongs to none. Called before the frame is delivered. */
  owner(message: AgentMessage): LiveTurn | undefined {
    if (message.type === 'command_lifecycle') return this.#open.get(message.command_uuid);
    if (message.type === 'system' && message.subtype === 'init') return this.#begin(message);
    if (message.type === 'result') return this.#ofResult(message);
    return this.#current;
  }

  /** Draws the consequences. Called after the frame was delivered, so that a result is its turn's last message. */
  settle(message: AgentMessage, owner: LiveTurn | undefined): void {
    if (message.type === 'command_lifecycle') this.#follow(message, owner);
    else if (message.type === 'result' && owner !== undefined) this.#finish(message, owner);
    else owner?.note(message);
  }

  #begin(message: InitMessage): LiveTurn {
    const named = (message.user_message_uuids ?? [])
      .map((uuid) => this.#open.get(uuid))
      .filter((turn) => turn !== undefined);
    for (const turn of named) this.#start(turn);
    return this.#current ?? this.#start(this.#oldestUnannounced() ?? this.#events.unsent());
  }

  #ofResult(message: ResultMessage): LiveTurn {
    if (this.#current !== undefined) return this.#current;
    const named = answered(message)
      .map((uuid) => this.#open.get(uuid))
      .find((turn) => turn !== undefined);
    return this.#start(named ?? this.#oldestUnannounced() ?? this.#events.unsent());
  }

  #oldestUnannounced(): LiveTurn | undefined {
    return this.#lifecycleSeen ? undefined : this.#open.values().next().value;
  }

  #start(turn: LiveTurn): LiveTurn {
    if (turn.started) return turn;
    turn.started = true;
    this.#open.set(turn.id, turn);
    if (this.#current === undefined) this.#current = turn;
    else turn.leader = this.#current;
    this.#events.started(turn);
    return turn;
  }

  #follow({ state }: CommandLifecycleMessage, turn: LiveTurn | undefined): void {
    this.#lifecycleSeen = true;
    if (turn === undefined) return;
    if (state === 'started') this.#start(turn);
    // What was answered has left the ledger by now; these ended without a result.
    else if (state === 'completed')
      this.#end(turn, { kind: 'cancelled', why: turn.started ? 'withdrawn' : 'repeated' });
    else if (state === 'cancelled') this.#end(turn, { kind: 'cancelled', why: 'withdrawn' });
  }

  #finish(message: ResultMessage, first: LiveTurn): void {
    const outcome = outcomeOf(message, { costBefore: this.#cost, lastText: first.lastText });
    this.#cost = message.total_cost_usd;
    const named = answered(message);
    const joined = [...this.#open.values()].filter((turn) => turn.leader === first || named.includes(turn.id));
    for (const turn of new Set([first, ...joined])) this.#end(turn, outcome);
  }

  #end(turn: LiveTurn, outcome: TurnOutcome): void {
    this.drop(turn);
    turn.settle(outcome);
    this.#events.ended(turn, outcome);
  }
}
