import { isRecord } from '@hexagent/checks';
import type {
  AgentMessage,
  AnyMessage,
  ApprovalRecord,
  ChatInput,
  ChatStream,
  Clock,
  SessionEvent,
  SessionFact,
  TurnOutcome,
} from '@hexagent/ports';
import {
  answerIdOf,
  createReplayBuffer,
  createUiTranslator,
  sseStream,
  uiStreamHeaders,
  type ReplayBuffer,
  type SubagentView,
  type UiChunk,
  type UiEnd,
  type UiTranslator,
} from '@hexagent/ui-stream';
import { endOf, failureOf, toFailedResult } from './agent-failure.ts';
import type { AnswerLimits } from './refused-suggestions.ts';
import { toUiApproval, toUiAnswer } from './ui-approval.ts';

export interface LiveChatOptions {
  readonly subagents: SubagentView | undefined;
  /** What callers may choose with an answer. */
  readonly answers: AnswerLimits;
  /** The clock of the short time in which chunks are gathered for readers, and of the signs of life on idle connections. */
  readonly clock: Clock;
}

export interface ReadableTurn {
  readonly buffer: ReplayBuffer;
  /** The place of the fact that ended it. */
  endedAt?: string;
}

/** A turn as it is drawn: what translates its messages, and what its readers read. */
interface LiveTurn extends ReadableTurn {
  /** The uuid of its message, or its own when it was not sent. */
  readonly id: string;
  readonly translator: UiTranslator;
  /** Shown when the turn ends. */
  result?: AnyMessage;
  /** The approvals of the turn that wait, by their ids. */
  readonly waiting: Map<string, ApprovalRecord>;
  /** Set where approvals alone made it, between two turns: a subagent in the background may ask. */
  readonly isForApprovals: boolean;
}

/**
 * What a chat shows: the turn that runs, for any number of readers, and turns that are about to, one behind the other. A fold over
 * the facts of its session: in another process the same facts lead to the same chunks.
 */
export class LiveChat {
  readonly #options: LiveChatOptions;
  /** The turns in the order in which they were begun here. */
  readonly #turns = new Map<string, LiveTurn>();
  /** The unfinished messages, in the order in which they are run. */
  readonly #unfinished = new Set<string>();
  /** Whether these wait until the program asks for them. */
  #isHeld = false;
  /** The texts of messages that are to join a turn, by their uuids. */
  readonly #steering = new Map<string, string>();
  /** The turn that the agent has begun with. */
  #running: LiveTurn | undefined;
  /** The messages of the last turn that has its result. The host stores a moment later that they are finished. */
  #answered: ReadonlySet<string> = new Set();

  #cursor: string;
  /** The last turn that has ended, for a page that was shown what came before its end. */
  #ended: ReadableTurn | undefined;

  /** `cursor` is the place of the last fact before the first one that it takes, or of a later one. */
  constructor(options: LiveChatOptions, cursor = '') {
    this.#options = options;
    this.#cursor = cursor;
  }

  /** The id of the turn that runs, or else of the first that is about to. */
  get turnId(): string | undefined {
    return this.#shown?.id;
  }

  /** Whether a person has to answer before it continues. */
  get isWaiting(): boolean {
    return (this.#shown?.waiting.size ?? 0) > 0;
  }

  /** Whether a new live chat would show the same. */
  get isEmpty(): boolean {
    return this.#turns.size === 0 && this.#unfinished.size === 0;
  }

  get #shown(): LiveTurn | undefined {
    return this.#running ?? this.#turns.values().next().value;
  }

  /** The place of the last fact: what is shown by then is before it. */
  get cursor(): string {
    return this.#cursor;
  }

  take(fact: SessionEvent): void {
    this.#cursor = fact.seq;
    switch (fact.kind) {
      case 'accepted':
        return this.#accept(fact);
      case 'outbox':
        if (fact.state === 'completed') return this.#finish(fact.uuid);
        if (fact.state === 'cancelled') return this.#finish(fact.uuid, { kind: 'aborted' });
        return;
      case 'held':
        return this.#hold(fact.isHeld);
      case 'turn_started':
        return this.#start(fact.turn);
      case 'message':
        return this.#receive(fact.turn, fact.message);
      case 'turn_ended':
        return this.#answer(fact.turn, fact.outcome);
      case 'turn_cut':
        return this.#end(fact.turn, endOf(fact.error));
      case 'ask_opened':
        return this.#ask(fact.record);
      case 'ask_settled':
        return this.#settle(fact.record);
      case 'crashed':
        // What was to run is kept, and runs when it is asked for again.
        if (fact.restartsInMs === undefined) return this.#endAll(failureOf(fact.error));
        return this.#beginFirst();
      case 'dropped':
        return this.drop(fact.error);
      case 'state':
        // No agent waits for what it asked.
        if (fact.state === 'parked' || fact.state === 'crashed') this.#endApprovals();
    }
  }

  /** Whether the message has a turn, or is to join the running turn. */
  isShown(uuid: string): boolean {
    return this.#turns.has(uuid) || this.#steering.has(uuid);
  }

  isSteering(uuid: string): boolean {
    return this.#steering.has(uuid);
  }

  isAnswered(uuid: string): boolean {
    return this.#answered.has(uuid);
  }

  /** A turn is there from now on: readers get its stream. A message that is to join the turn that runs has none. */
  #accept({ uuid, input }: Extract<SessionFact, { readonly kind: 'accepted' }>): void {
    this.#unfinished.add(uuid);
    if (this.#isHeld) return;
    if (input.priority !== undefined && this.#shown !== undefined && !this.#turns.has(uuid))
      this.#steering.set(uuid, inputText(input));
    else this.#begin(uuid);
  }

  #hold(isHeld: boolean): void {
    this.#isHeld = isHeld;
    if (!isHeld) this.#beginFirst();
  }

  /** A page that comes back waits for what is run next: what was cut off is run before anything new. */
  #beginFirst(): void {
    const [uuid] = this.#unfinished;
    if (uuid !== undefined) this.#begin(uuid);
  }

  #begin(turnId: string): void {
    if (!this.#turns.has(turnId)) this.#turns.set(turnId, this.#createTurn(turnId, false));
  }

  /** The agent has begun. While a turn runs, that is a message which joined it. */
  #start(turnId: string): void {
    if (this.#running !== undefined) return;
    this.#begin(turnId);
    this.#running = this.#turns.get(turnId);
  }

  /** What belongs to no turn is shown with the running turn, if there is one. */
  #receive(turnId: string | undefined, message: AgentMessage): void {
    const turn = (turnId === undefined ? undefined : this.#turns.get(turnId)) ?? this.#shown;
    // How the turn ended comes right behind its result, and decides what is shown of it.
    if (message.type === 'result' && turn !== undefined) turn.result ??= message;
    else push(turn, turn?.translator.push(message));
  }

  #ask(record: ApprovalRecord): void {
    const turn = this.#shown ?? this.#createTurn(record.id, true);
    this.#turns.set(turn.id, turn);
    turn.waiting.set(record.id, record);
    const approval = toUiApproval(record, this.#options.answers);
    push(turn, turn.translator.approvalRequested(approval));
  }

  #settle(record: ApprovalRecord): void {
    const turn = [...this.#turns.values()].find(({ waiting }) => waiting.delete(record.id));
    // Of what is lost it is not known what would have been answered, and the next agent asks again.
    if (record.state !== 'lost') push(turn, turn?.translator.approvalSettled(toUiAnswer(record)));
    if (turn?.isForApprovals === true && turn.waiting.size === 0) this.#end(turn.id);
  }

  /** Ends a turn, unless it has ended before. */
  #end(turnId: string, how?: UiEnd): void {
    this.#steering.delete(turnId);
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return;
    if (turn.result !== undefined) push(turn, turn.translator.push(turn.result));
    push(turn, turn.translator.end(how));
    this.#turns.delete(turn.id);
    if (this.#running === turn) this.#running = undefined;
    turn.buffer.end();
    turn.endedAt = this.#cursor;
    this.#ended = turn;
  }

  /** Ends a turn that has its result, and with it those of the messages that joined it. */
  #answer(turnId: string, outcome: TurnOutcome): void {
    // The message is finished, and its turn ends, once the host has stored that.
    if (outcome.kind === 'cancelled' && outcome.why === 'repeated') return;
    const turn = this.#turns.get(turnId);
    if (turn === undefined) return this.#end(turnId);
    const answered = [turn.id, ...answeredIn(turn.result)];
    this.#answered = new Set(answered);
    const failed = outcome.kind === 'failed' ? outcome : undefined;
    if (turn.result !== undefined && failed !== undefined) turn.result = toFailedResult(turn.result, failed);
    // Where nothing was sent, there is no result that shows why.
    this.#end(turnId, failed && { kind: 'error', errorText: failed.message });
    for (const uuid of answered) this.#steering.delete(uuid);
    this.#beginSteering();
    // An interrupt withdraws what the agent asked.
    if (outcome.kind !== 'interrupted') this.#askAgain(turn);
  }

  /** A subagent in the background still waits, although the turn has ended in which it asked: nothing else could answer. */
  #askAgain({ waiting }: LiveTurn): void {
    for (const record of waiting.values()) if (record.agentId !== undefined) this.#ask(record);
  }

  /** Ends the turn of a finished message. */
  #finish(uuid: string, how?: UiEnd): void {
    this.#unfinished.delete(uuid);
    this.#end(uuid, how);
    this.#beginSteering();
  }

  /** Ends all turns, and forgets unfinished messages. */
  drop(error: unknown): void {
    this.#unfinished.clear();
    this.#endAll(endOf(error));
  }

  #endApprovals(): void {
    for (const turn of this.#turns.values()) if (turn.isForApprovals) this.#end(turn.id);
  }

  /** Ends the running and the waiting turns. */
  #endAll(how: UiEnd): void {
    for (const id of [...this.#turns.keys()]) this.#end(id, how);
    this.#steering.clear();
  }

  /** The turn of this id, or else the running turn. */
  turnOf(turnId?: string): ReadableTurn | undefined {
    return (turnId === undefined ? undefined : this.#turns.get(turnId)) ?? this.#shown;
  }

  /** The turn that runs, or the last one where it has ended after a place that a page has. */
  turnAfter(after: string | undefined): ReadableTurn | undefined {
    const endedAt = this.#ended?.endedAt;
    const isMissed = after !== undefined && endedAt !== undefined && endedAt > after;
    return this.#shown ?? (isMissed ? this.#ended : undefined);
  }

  /** A client that connects again names the last id that it received: the id of the end asks for what follows the turn. */
  streamOf(turn: ReadableTurn): ChatStream {
    const ids = {
      first: turn.endedAt === undefined ? this.#cursor : undefined,
      last: () => turn.endedAt,
    };
    return { headers: uiStreamHeaders, body: sseStream(turn.buffer.read(), { clock: this.#options.clock, ids }) };
  }

  /** A message that came too late to join a turn has one behind it. */
  #beginSteering(): void {
    const [uuid] = this.#steering.keys();
    if (uuid !== undefined && this.#turns.size === 0 && !this.#isHeld) this.#begin(uuid);
  }

  #createTurn(id: string, isForApprovals: boolean): LiveTurn {
    const { subagents } = this.#options;
    const steering = (uuid: string): string | undefined => this.#steering.get(uuid);
    const translator = createUiTranslator({ messageId: answerIdOf(id), subagents, steering });
    return {
      id,
      translator,
      buffer: createReplayBuffer({ clock: this.#options.clock }),
      waiting: new Map(),
      isForApprovals,
    };
  }
}

/** The text of a message, for a page that shows it where the agent took it up. */
function inputText({ content }: Pick<ChatInput, 'content'>): string {
  if (typeof content === 'string') return content;
  return content
    .flatMap((block) => (isRecord(block) && typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n');
}

function answeredIn(result: AnyMessage | undefined): readonly string[] {
  const uuids: unknown = result === undefined ? undefined : Reflect.get(result, 'user_message_uuids');
  return Array.isArray(uuids) ? uuids.filter((uuid) => typeof uuid === 'string') : [];
}

function push(turn: LiveTurn | undefined, chunks: readonly UiChunk[] | undefined): void {
  if (chunks !== undefined && chunks.length > 0) turn?.buffer.push(chunks);
}
