import type {
  AgentMessage,
  CommandLifecycleMessage,
  ConversationOptions,
  ResultMessage,
  SystemMessage,
  TurnOutcome,
} from '@hexagent/ports';
import { isSecondRefusal } from './hints.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnEvent } from './turn-state.ts';
import { namesIn, outcomeOf, totalOf } from './outcome.ts';

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
  /** The turns that began the subagents that run, by the tool call that a subagent's frames name. */
  readonly #delegated = new Map<string, string | undefined>();
  /** An older agent says nothing of messages; then they are answered in the order they were sent. */
  #lifecycleSeen = false;
  #cost = 0;
  readonly #failsRefused: boolean;

  constructor({ refusedCredentials }: Pick<ConversationOptions, 'refusedCredentials'>, events: LedgerEvents) {
    this.#events = events;
    this.#failsRefused = refusedCredentials === 'fail';
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
    if (message.type === 'system' && message.subtype === 'init') return this.#begin();
    if (message.type === 'result') return this.#ofResult(message);
    return this.#isOfAnother(message) ? undefined : this.#current;
  }

  /** Draws the consequences. Called after the frame was delivered, so that a result is its turn's last message. */
  settle(message: AgentMessage, owner: LiveTurn | undefined): void {
    if (message.type === 'command_lifecycle') this.#follow(message, owner);
    else if (message.type === 'result' && owner !== undefined) this.#finish(message, owner);
    else if (message.type === 'system') this.#noteSystem(message);
    else owner?.note(message);
  }

  #begin(): LiveTurn {
    return this.#current ?? this.#start(this.#oldestUnannounced() ?? this.#events.unsent());
  }

  #ofResult(message: ResultMessage): LiveTurn {
    if (this.#current !== undefined) return this.#current;
    return this.#start(this.#named(message)[0] ?? this.#oldestUnannounced() ?? this.#events.unsent());
  }

  /** The open turns whose messages a result answers. */
  #named(message: ResultMessage): readonly LiveTurn[] {
    return namesIn(message).flatMap((uuid) => this.#open.get(uuid) ?? []);
  }

  #oldestUnannounced(): LiveTurn | undefined {
    return this.#lifecycleSeen ? undefined : this.#open.values().next().value;
  }

  #start(turn: LiveTurn): LiveTurn {
    if (turn.hasBegun) return turn;
    turn.apply({ name: 'started' });
    this.#open.set(turn.id, turn);
    // Another one runs: the message was folded into it, or merged with the one that began it.
    this.#current ??= turn;
    if (!turn.isOver) this.#events.started(turn);
    return turn;
  }

  #follow({ state, command_uuid: uuid }: CommandLifecycleMessage, turn: LiveTurn | undefined): void {
    // An agent that names messages by what is no uuid names none of ours: they are then told apart by their order.
    if (typeof uuid !== 'string') return;
    this.#lifecycleSeen = true;
    if (turn === undefined) return;
    if (state === 'started') this.#start(turn);
    else if (state === 'completed' || state === 'cancelled') this.#apply(turn, { name: state });
    else turn.apply({ name: 'confirmed' });
  }

  #noteSystem(message: SystemMessage): void {
    if (this.#failsRefused && isSecondRefusal(message)) this.#current?.stopForRefusal(message);
    if (message.subtype === 'session_state_changed' && message.state === 'idle') this.#onIdle();
    if (message.subtype === 'task_started' && message.tool_use_id !== undefined)
      this.#delegated.set(message.tool_use_id, this.#current?.id);
    if (message.subtype === 'task_notification' && message.tool_use_id !== undefined)
      this.#delegated.delete(message.tool_use_id);
  }

  #onIdle(): void {
    for (const turn of [...this.#open.values()]) this.#apply(turn, { name: 'agentIdle' });
  }

  /** Whether a subagent says it that another turn began, and that goes on in the background of this one. */
  #isOfAnother(message: AgentMessage): boolean {
    const call = 'parent_tool_use_id' in message ? message.parent_tool_use_id : null;
    return call !== null && this.#delegated.has(call) && this.#delegated.get(call) !== this.#current?.id;
  }

  #finish(message: ResultMessage, first: LiveTurn): void {
    const { lastText, refusal } = first;
    const outcome = outcomeOf(message, { costBefore: this.#cost, lastText, refusal });
    this.#cost = totalOf(message) ?? this.#cost;
    // A local command gives no reason for its end: whether it was interrupted is decided by the frame that follows.
    const isDecided = !isInterruptRequested(first) || message.terminal_reason !== undefined || !this.#lifecycleSeen;
    this.#current = undefined;
    for (const turn of new Set([first, ...this.#named(message)]))
      this.#apply(turn, { name: 'result', outcome, isDecided });
  }

  #apply(turn: LiveTurn, event: TurnEvent): void {
    // A turn that failed before, with the conversation, leaves the ledger when the agent reports its end.
    const wasOver = turn.isOver;
    const state = turn.apply(event);
    if (turn.isOver) this.drop(turn);
    if (state.name === 'ended' && !wasOver) this.#events.ended(turn, state.outcome);
  }
}

function isInterruptRequested({ state }: LiveTurn): boolean {
  return 'interruptRequested' in state && state.interruptRequested;
}
