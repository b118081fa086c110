import type { AgentMessage, AnyMessage, ApprovalRecord, ChatStream, Clock, TurnOutcome } from '@hexagent/ports';
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
import { toFailedResult } from './failed-result.ts';
import { PromisedTurn } from './promised-turn.ts';
import type { AnswerLimits } from './refused-suggestions.ts';
import { toUiApproval, toUiAnswer } from './ui-approval.ts';

export interface LiveChatOptions {
  readonly subagents: SubagentView | undefined;
  /** What callers may choose with an answer. */
  readonly answers: AnswerLimits;
  /** By it readers are given what comes close together at once, and an idle connection is kept open. */
  readonly clock: Clock;
}

/** A turn as it is drawn: what translates its messages, and what its readers read. */
interface LiveTurn {
  /** The uuid of its message, or its own when it was not sent. */
  readonly id: string;
  readonly translator: UiTranslator;
  readonly buffer: ReplayBuffer;
  /** Shown when the turn ends. */
  result?: AnyMessage;
  /** Of its approvals, those that wait, by their ids. */
  readonly waiting: Map<string, ApprovalRecord>;
  /** Set where approvals alone made it, between two turns: a subagent in the background may ask. */
  readonly isForApprovals: boolean;
}

/**
 * What a chat shows: the turn that runs, for any number of readers, and turns that are about to, one behind the other. An
 * agent continues with what was cut off before it takes up anything new.
 */
export class LiveChat {
  readonly #options: LiveChatOptions;
  /** In the order in which they were begun here. */
  readonly #turns = new Map<string, LiveTurn>();
  /** The texts of messages that are to join a turn, by their uuids. */
  readonly #steering = new Map<string, string>();
  /** The turn that the agent has begun with. */
  #running: LiveTurn | undefined;
  /** A message that was cut off with its agent and is unfinished. The next agent continues it by itself. */
  #cut: string | undefined;
  /** The messages of the last turn that has its result. The host stores a moment later that they are finished. */
  #answered: ReadonlySet<string> = new Set();
  /** Turns that an agent continued with by itself, by the ids that they have there. */
  readonly #resumed = new Map<string, LiveTurn>();

  readonly #promised: PromisedTurn;

  constructor(options: LiveChatOptions) {
    this.#options = options;
    this.#promised = new PromisedTurn(options);
  }

  /** The id of the turn that runs, or else of the first that is about to. */
  get turnId(): string | undefined {
    return this.#shown?.id;
  }

  /** Whether a person has to answer before it continues. */
  get isWaiting(): boolean {
    return (this.#shown?.waiting.size ?? 0) > 0;
  }

  get #shown(): LiveTurn | undefined {
    return this.#running ?? this.#turns.values().next().value;
  }

  /** Makes room for a turn that is about to run: what readers get when none runs. */
  begin(turnId: string): void {
    if (!this.#turns.has(turnId)) this.#turns.set(turnId, this.#createTurn(turnId, false));
  }

  /** Shows the text where the agent takes the message up. */
  steer(uuid: string, text: string): void {
    this.#steering.set(uuid, text);
  }

  isSteering(uuid: string): boolean {
    return this.#steering.has(uuid);
  }

  /**
   * The agent has begun. While a turn runs, that is a message which joined it. An unsolicited one, behind a message that
   * was cut off, is the turn of that message.
   */
  started(turnId: string, { isUnsolicited }: { readonly isUnsolicited: boolean }): void {
    if (this.#running !== undefined) return;
    const id = isUnsolicited ? (this.#cut ?? turnId) : turnId;
    this.begin(id);
    this.#running = this.#turns.get(id);
    if (id !== turnId && this.#running !== undefined) this.#resumed.set(turnId, this.#running);
  }

  /** What belongs to no turn is shown with the one that runs, if one does. */
  receive(turnId: string | undefined, message: AgentMessage): void {
    const turn = (turnId === undefined ? undefined : this.#find(turnId)) ?? this.#shown;
    // How the turn ended comes right behind its result, and decides what is shown of it.
    if (message.type === 'result' && turn !== undefined) turn.result ??= message;
    else push(turn, turn?.translator.push(message));
  }

  approvalOpened(record: ApprovalRecord): void {
    const turn = this.#shown ?? this.#createTurn(record.id, true);
    this.#turns.set(turn.id, turn);
    turn.waiting.set(record.id, record);
    const approval = toUiApproval(record, this.#options.answers);
    push(turn, turn.translator.approvalRequested(approval));
  }

  approvalSettled(record: ApprovalRecord): void {
    const turn = [...this.#turns.values()].find(({ waiting }) => waiting.delete(record.id));
    // Of what is lost it is not known what would have been answered, and the next agent asks again.
    if (record.state !== 'lost') push(turn, turn?.translator.approvalSettled(toUiAnswer(record)));
    if (turn?.isForApprovals === true && turn.waiting.size === 0) this.end(turn.id);
  }

  /** Ends a turn; one that is not there any more stays ended. */
  end(turnId: string, how?: UiEnd): void {
    this.#steering.delete(turnId);
    const turn = this.#find(turnId);
    if (turn === undefined) return;
    if (turn.result !== undefined) push(turn, turn.translator.push(turn.result));
    push(turn, turn.translator.end(how));
    this.#turns.delete(turn.id);
    this.#resumed.delete(turnId);
    if (this.#running === turn) this.#running = undefined;
    turn.buffer.end();
    this.#promised.end(turn.id, turn.buffer);
  }

  /** Ends a turn that has its result, and with it those of the messages that joined it. */
  answer(turnId: string, outcome?: TurnOutcome): void {
    // An agent that continues with a turn by itself reports this of the message that is sent again: its turn ends with it.
    if (outcome?.kind === 'cancelled' && outcome.why === 'repeated') return;
    const turn = this.#find(turnId);
    if (turn === undefined) return this.end(turnId);
    const answered = [turn.id, ...answeredIn(turn.result)];
    this.#answered = new Set(answered);
    if (turn.result !== undefined && outcome?.kind === 'failed') turn.result = toFailedResult(turn.result, outcome);
    this.end(turnId);
    for (const uuid of answered) this.#steering.delete(uuid);
    this.#beginSteering();
    // An interrupt withdraws what the agent asked.
    if (outcome?.kind !== 'interrupted') this.#askAgain(turn);
  }

  /** A subagent in the background still waits, although the turn has ended in which it asked: nothing else could answer. */
  #askAgain({ waiting }: LiveTurn): void {
    for (const record of waiting.values()) if (record.agentId !== undefined) this.approvalOpened(record);
  }

  isAnswered(uuid: string): boolean {
    return this.#answered.has(uuid);
  }

  /** Ends the turn of a finished message. */
  done(uuid: string, how?: UiEnd): void {
    if (this.#cut === uuid) this.#cut = undefined;
    this.end(uuid, how);
    this.#beginSteering();
  }

  /** Notes a message that was cut off, and ends its turn. */
  cut(uuid: string, how: UiEnd): void {
    const turn = this.#find(uuid);
    this.#cut = turn?.id ?? uuid;
    this.end(uuid, how);
  }

  /** Another agent continues by itself: a page that comes back waits for it. */
  beginAgain(): void {
    if (this.#cut !== undefined) this.begin(this.#cut);
  }

  /** Makes room for what runs next, which is the message that was cut off if there is one. Returns the id of its turn. */
  beginNext(uuid: string): string {
    const id = this.#cut ?? uuid;
    this.begin(id);
    return id;
  }

  /** Ends whatever runs or is about to. */
  endAll(how: UiEnd): void {
    for (const id of [...this.#turns.keys()]) this.end(id, how);
    this.#resumed.clear();
    this.#steering.clear();
  }

  /** The turn that runs, or the one of this id. */
  stream(turnId: string | undefined = this.turnId): ChatStream | undefined {
    const turn = turnId === undefined ? undefined : this.#turns.get(turnId);
    return turn && this.#streamOf(turn.buffer);
  }

  /** A page is shown what came before the turn that runs, and reads the turn next. */
  promiseStream(): void {
    if (this.turnId !== undefined) this.#promised.promise(this.turnId);
  }

  /** The turn that runs, for a page that comes to it; or the one that has just ended, for a page that was promised it. */
  resume(): ChatStream | undefined {
    const { turnId } = this;
    if (turnId !== undefined) this.#promised.read(turnId);
    const ended = turnId === undefined ? this.#promised.take() : undefined;
    return ended === undefined ? this.stream() : this.#streamOf(ended);
  }

  #streamOf(buffer: ReplayBuffer): ChatStream {
    return { headers: uiStreamHeaders, body: sseStream(buffer.read(), { clock: this.#options.clock }) };
  }

  /** A message that came too late to join a turn has one behind it. */
  #beginSteering(): void {
    const [uuid] = this.#steering.keys();
    if (uuid !== undefined && this.#turns.size === 0 && this.#cut === undefined) this.begin(uuid);
  }

  #find(turnId: string): LiveTurn | undefined {
    return this.#resumed.get(turnId) ?? this.#turns.get(turnId);
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

function answeredIn(result: AnyMessage | undefined): readonly string[] {
  const uuids: unknown = result === undefined ? undefined : Reflect.get(result, 'user_message_uuids');
  return Array.isArray(uuids) ? uuids.filter((uuid) => typeof uuid === 'string') : [];
}

function push(turn: LiveTurn | undefined, chunks: readonly UiChunk[] | undefined): void {
  if (chunks !== undefined && chunks.length > 0) turn?.buffer.push(chunks);
}
