import type {
  AgentMessage,
  CommandLifecycleMessage,
  ConversationOptions,
  ConversationProgress,
  ResultMessage,
  SystemMessage,
  TurnFailure,
  TurnOutcome,
} from '@hexagent/ports';
import { isSecondRefusal } from './hints.ts';
import type { LiveTurn } from './live-turn.ts';
import type { TurnEvent } from './turn-state.ts';
import { answeredUuids, failureOf, outcomeOf, unsentOutcome } from './outcome.ts';
import { SpendingFold } from './spending/spending-fold.ts';

export interface LedgerEvents {
  /** The agent begins an unsolicited turn. */
  readonly unsolicited: () => LiveTurn;
  /** `within` is the running turn that it was folded into or merged with. */
  readonly started: (turn: LiveTurn, within: LiveTurn | undefined) => void;
  readonly ended: (turn: LiveTurn, outcome: TurnOutcome) => void;
}

/**
 * Assigns frames to turns. The agent runs one turn at a time; `command_lifecycle` names the message that began it, `init`
 * names it again, and `result` names every message it answers: several, when queued ones were merged into one turn or
 * folded into a running one.
 */
export class TurnLedger {
  readonly #events: LedgerEvents;
  readonly #open = new Map<string, LiveTurn>();
  #current: LiveTurn | undefined;
  /** The id of the turn that began each running subagent, by the tool call that the subagent's frames name. */
  readonly #delegated = new Map<string, string | undefined>();
  /** An older agent sends no `command_lifecycle`; then turns are assigned in the order of sending. */
  #lifecycleSeen = false;
  readonly spending: SpendingFold = new SpendingFold();
  readonly #answered: (readonly string[])[] = [];
  readonly #failsRefused: boolean;
  readonly #budget: ConversationOptions['budget'];

  constructor(
    { refusedCredentials, budget }: Pick<ConversationOptions, 'refusedCredentials' | 'budget'>,
    events: LedgerEvents,
  ) {
    this.#events = events;
    this.#failsRefused = refusedCredentials === 'fail';
    this.#budget = budget;
  }

  get current(): LiveTurn | undefined {
    return this.#current;
  }

  /** Turns without an outcome, the oldest first. */
  get open(): ReadonlyMap<string, LiveTurn> {
    return this.#open;
  }

  get progress(): ConversationProgress {
    return { answered: this.#answered, open: this.#open.size };
  }

  add(turn: LiveTurn): void {
    this.#open.set(turn.id, turn);
  }

  /** Ends a turn whose message is not sent. */
  refuse(turn: LiveTurn, failure: TurnFailure): void {
    this.#apply(turn, { name: 'result', outcome: unsentOutcome(failure), isDecided: true });
  }

  /** Removes a turn that never reached the agent, or that will never be answered. */
  drop(turn: LiveTurn): void {
    this.#open.delete(turn.id);
    if (this.#current === turn) this.#current = undefined;
  }

  /**
   * The turn a frame belongs to; `undefined` when it belongs to none. Called before the frame is delivered, and begins the turn whose
   * beginning it names.
   */
  owner(message: AgentMessage): LiveTurn | undefined {
    if (message.type === 'command_lifecycle') return this.#ofLifecycle(message);
    if (message.type === 'system' && message.subtype === 'init') return this.#begin();
    if (message.type === 'result') return this.#ofResult(message);
    return this.#isOfAnother(message) ? undefined : this.#current;
  }

  /** Moves turns on. Called after the frame was delivered, so that a result is the last message of its turn. */
  settle(message: AgentMessage, owner: LiveTurn | undefined): void {
    this.spending.note(message);
    if (message.type === 'command_lifecycle') this.#follow(message, owner);
    else if (message.type === 'result' && owner !== undefined) this.#finish(message, owner);
    else if (message.type === 'system') this.#noteSystem(message);
    else owner?.note(message);
  }

  #begin(): LiveTurn {
    return this.#current ?? this.#start(this.#oldestUnannounced() ?? this.#events.unsolicited());
  }

  #ofLifecycle({ state, command_uuid: uuid }: CommandLifecycleMessage): LiveTurn | undefined {
    const turn = this.#open.get(uuid);
    return turn !== undefined && state === 'started' ? this.#start(turn) : turn;
  }

  #ofResult(message: ResultMessage): LiveTurn {
    const named = this.#named(message);
    const first = this.#current ?? this.#start(named[0] ?? this.#oldestUnannounced() ?? this.#events.unsolicited());
    // Messages of which nothing else shows that they were merged with it.
    for (const turn of named) this.#start(turn);
    return first;
  }

  /** The open turns whose messages a result answers. */
  #named(message: ResultMessage): readonly LiveTurn[] {
    return answeredUuids(message).flatMap((uuid) => this.#open.get(uuid) ?? []);
  }

  #oldestUnannounced(): LiveTurn | undefined {
    return this.#lifecycleSeen ? undefined : this.#open.values().next().value;
  }

  #start(turn: LiveTurn): LiveTurn {
    if (turn.hasBegun) return turn;
    turn.apply({ name: 'started' });
    this.#open.set(turn.id, turn);
    // While another turn runs, the message was folded into it, or merged with the message that began it.
    this.#current ??= turn;
    if (!turn.isOver) this.#events.started(turn, this.#current === turn ? undefined : this.#current);
    return turn;
  }

  #follow({ state, command_uuid: uuid }: CommandLifecycleMessage, turn: LiveTurn | undefined): void {
    // Anything but a text names no message of ours; then turns are assigned in the order of sending.
    if (typeof uuid !== 'string') return;
    this.#lifecycleSeen = true;
    if (turn === undefined) return;
    if (state === 'completed' || state === 'cancelled') this.#apply(turn, { name: state });
    else turn.apply({ name: 'confirmed' });
  }

  #noteSystem(message: SystemMessage): void {
    if (this.#failsRefused && isSecondRefusal(message)) this.#current?.stopFor(failureOf(message));
    if (message.subtype === 'session_state_changed' && message.state === 'idle') this.#onIdle();
    if (message.subtype === 'task_started' && message.tool_use_id !== undefined)
      this.#delegated.set(message.tool_use_id, this.#current?.id);
    if (message.subtype === 'task_notification' && message.tool_use_id !== undefined)
      this.#delegated.delete(message.tool_use_id);
  }

  #onIdle(): void {
    for (const turn of [...this.#open.values()]) this.#apply(turn, { name: 'agentIdle' });
  }

  /** Whether the message is of a subagent that another turn began, and that works on in the background. */
  #isOfAnother(message: AgentMessage): boolean {
    const call = 'parent_tool_use_id' in message ? message.parent_tool_use_id : null;
    return call !== null && this.#delegated.has(call) && this.#delegated.get(call) !== this.#current?.id;
  }

  #finish(message: ResultMessage, first: LiveTurn): void {
    const { lastText, failure } = first;
    const spending = this.spending.end(message);
    const sessionCost = this.spending.ledger.cost;
    const outcome = outcomeOf(message, { spending, sessionCost, budget: this.#budget, lastText, failure });
    // The result of a local command has no reason: the frame that follows decides whether it was interrupted.
    const isDecided = !isInterruptRequested(first) || message.terminal_reason !== undefined || !this.#lifecycleSeen;
    this.#current = undefined;
    const answered = answeredUuids(message);
    if (answered.length > 0) this.#answered.push(answered);
    for (const turn of new Set([first, ...this.#named(message)]))
      this.#apply(turn, { name: 'result', outcome, isDecided });
  }

  #apply(turn: LiveTurn, event: TurnEvent): void {
    // A turn that failed with the conversation stays in the ledger until the agent reports its end.
    const wasOver = turn.isOver;
    const state = turn.apply(event);
    if (turn.isOver) this.drop(turn);
    if (state.name === 'ended' && !wasOver) this.#events.ended(turn, state.outcome);
  }
}

function isInterruptRequested({ state }: LiveTurn): boolean {
  return 'interruptRequested' in state && state.interruptRequested;
}
