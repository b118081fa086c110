import type { AgentMessage, Channel, ConversationEvent, ConversationFact, EventsOptions, Turn } from '@hexagent/ports';
import type { Inbox } from '@hexagent/async';
import { Cursor } from './cursor.ts';
import type { Flow } from './flow.ts';
import type { LiveTurn } from './live-turn.ts';
import { MessageQueue, type MessageQueueOptions } from './message-queue.ts';
import type { Report } from './report.ts';
import { WithheldPieces } from './withheld-pieces.ts';

/** How many unsolicited turns are kept for a late reader of `turns`. */
const keptTurns = 16;
/** What an unread message takes beside its line. Frames of 22 bytes take five times the memory of their lines. */
const placeBytes = 128;

export interface EventLogParts {
  readonly flow: Flow;
  readonly report: Report | undefined;
  /** It exists once anything is delivered. */
  readonly channel: () => Pick<Channel, 'request' | 'reread'>;
  readonly withholdsPieces?: boolean | undefined;
}

/**
 * What happens in a conversation, in one order: numbered, and pushed to the queue of each cursor. `turns`, `messages` and the turns are
 * views with queues of their own. A shared storage with positions would keep all that one slow view has not read.
 */
export class EventLog {
  readonly #flow: Flow;
  readonly #report: Report | undefined;
  readonly #reread: (line: string) => AgentMessage;
  readonly #pieces: WithheldPieces | undefined;
  readonly #messages: MessageQueue;
  readonly #unsolicited: MessageQueue<Turn>;
  /** The queues of the cursors, and `#early`. */
  #queues: MessageQueue<ConversationEvent>[] = [];
  /** Keeps everything until something is read. The first cursor takes it: an agent may begin before a program can ask for a cursor. */
  #early: MessageQueue<ConversationEvent> | undefined;
  #all: MessageQueue | undefined;
  #onArrival: ((message: AgentMessage) => void) | undefined;
  #ending: { readonly error?: unknown } | undefined;
  #seq = 0;
  #isClosing = false;
  #hasEnded = false;

  constructor({ flow, report, channel, withholdsPieces = false }: EventLogParts) {
    const reread = (line: string): AgentMessage => channel().reread(line);
    this.#flow = flow;
    this.#report = report;
    this.#reread = reread;
    this.#pieces = withholdsPieces ? new WithheldPieces(channel) : undefined;
    const onOpen = this.#dropEarly;
    this.#messages = new MessageQueue(flow, { optional: true, restore: reread, onOpen });
    this.#unsolicited = new MessageQueue<Turn>(flow, { optional: true, onOpen });
    this.#early = this.#addQueue({ optional: true });
  }

  get turns(): Inbox<Turn> {
    return this.#unsolicited.open();
  }

  get messages(): Inbox<AgentMessage> {
    return this.#messages.open();
  }

  events({ mayMiss = false }: EventsOptions, open: Iterable<LiveTurn>): AsyncIterableIterator<ConversationEvent> {
    if (mayMiss) return new Cursor(this.#addQueue({ optional: true, mayMiss }));
    this.#keepNothing(open);
    return new Cursor(this.#takeEarly() ?? this.#addQueue({ optional: false }));
  }

  allMessages(
    onArrival: ((message: AgentMessage) => void) | undefined,
    open: Iterable<LiveTurn>,
  ): AsyncIterableIterator<AgentMessage> {
    this.#keepNothing(open);
    const queue = new MessageQueue(this.#flow, { optional: false, restore: this.#reread });
    this.#all = queue;
    this.#onArrival = onArrival;
    const early = this.#early;
    this.#dropEarly();
    for (const event of early?.drain() ?? []) {
      if (event.kind !== 'message') continue;
      onArrival?.(event.message);
      queue.push(event.message, JSON.stringify(event.message).length + placeBytes);
    }
    const ending = early?.loss ?? this.#ending;
    if (ending !== undefined) queue.end(ending);
    return new Cursor(queue);
  }

  /** A queue for a turn that was sent. Its messages count as unread until the result is asked for. */
  queueForSentTurn(): MessageQueue {
    return this.#queueForTurn({ optional: false });
  }

  /** A queue for an unsolicited turn, whose messages may never be read. */
  queueForUnsolicitedTurn(): MessageQueue {
    // Before `turns` is read, caps all unsolicited turns together at `softMarkBytes`.
    const keepBytes = this.#unsolicited.isOpen ? this.#flow.softMarkBytes : this.#turnBytes;
    return this.#queueForTurn({ optional: true, keepBytes });
  }

  announce(turn: Turn): void {
    this.#unsolicited.push(turn, this.#turnBytes);
  }

  append(fact: ConversationFact): void {
    if (this.#hasEnded) return;
    this.#seq += 1;
    const asked = fact.kind === 'ask_opened' && this.#queues.length > 0 ? JSON.stringify(fact.ask).length : 0;
    this.#push({ ...fact, seq: this.#seq }, placeBytes + asked);
    if (this.#report !== undefined) observe(fact, this.#report);
  }

  deliver(message: AgentMessage, line: string, owner: LiveTurn | undefined): void {
    const bytes = line.length + placeBytes;
    if (this.#pieces?.take(message, { line, bytes }, owner)) return;
    this.#onArrival?.(message);
    this.#all?.push(message, bytes, line);
    const view = owner?.queue ?? this.#messages;
    // A view that is not open keeps nothing that another reader gets.
    if (this.#all === undefined || view.isOpen) view.push(message, bytes, line);
    else view.skip();
    if (this.#isClosing) return;
    this.#seq += 1;
    // Not by `append`, which copies the fact: there is no event where no cursor reads.
    if (this.#queues.length > 0) this.#push({ kind: 'message', turn: owner?.id, message, seq: this.#seq }, bytes, line);
  }

  /** Unread messages no longer pause the agent, for callers that wait for the end. */
  stopCountingUnread(turns: Iterable<LiveTurn>): void {
    this.#all?.makeOptional();
    for (const queue of this.#queues) queue.makeOptional();
    for (const turn of turns) turn.queue.makeOptional();
  }

  /** Delivers no further message. With `keepsUnread`, what was delivered before can still be read. */
  close(error: Error | undefined, { keepsUnread }: { readonly keepsUnread: boolean }): void {
    this.#isClosing = true;
    if (keepsUnread) this.#endViews(error);
    else {
      this.#ending ??= error === undefined ? {} : { error };
      this.#all?.cut(error && { error });
      this.#messages.cut(error && { error });
      this.#unsolicited.cut(error && { error });
      for (const queue of this.#queues) queue.retain(({ kind }) => kind !== 'message');
    }
    this.append({ kind: 'closing', error });
  }

  /** Ends the log. Messages that were delivered before can still be read. */
  end(exited: Extract<ConversationFact, { readonly kind: 'exited' }>): void {
    this.#endViews(exited.error);
    this.append(exited);
    this.#hasEnded = true;
    for (const queue of this.#queues) queue.end();
  }

  #endViews(error: Error | undefined): void {
    this.#ending ??= error === undefined ? {} : { error };
    this.#all?.end(error && { error });
    this.#messages.end(error && { error });
    this.#unsolicited.end();
  }

  /** The views keep nothing for late readers while a cursor reads. */
  #keepNothing(open: Iterable<LiveTurn>): void {
    this.#messages.keepNothing();
    this.#unsolicited.keepNothing();
    for (const { queue } of open) queue.keepNothing();
  }

  #push(event: ConversationEvent, bytes: number, line?: string): void {
    let areAllAlive = true;
    for (const queue of this.#queues) areAllAlive = queue.push(event, bytes, line) && areAllAlive;
    if (!areAllAlive) this.#queues = this.#queues.filter(({ isOver }) => !isOver);
  }

  #queueForTurn(options: MessageQueueOptions<AgentMessage>): MessageQueue {
    const isRead = this.#all?.isRequired || this.#queues.some((queue) => queue.isRequired);
    const kept = isRead ? { optional: true, keepBytes: 0 } : options;
    return new MessageQueue(this.#flow, { ...kept, restore: this.#reread, onOpen: this.#dropEarly });
  }

  #addQueue(options: MessageQueueOptions<ConversationEvent>): MessageQueue<ConversationEvent> {
    const queue = new MessageQueue<ConversationEvent>(this.#flow, {
      ...options,
      store: (event, line) =>
        `${JSON.stringify('turn' in event && event.turn !== undefined ? [event.seq, event.turn] : [event.seq])}\n${line}`,
      restore: (text) => this.#restore(text),
    });
    if (this.#hasEnded) queue.end();
    else this.#queues.push(queue);
    return queue;
  }

  #restore(text: string): ConversationEvent {
    const end = text.indexOf('\n');
    const [seq, turn] = JSON.parse(text.slice(0, end)) as [number, string | undefined];
    return { kind: 'message', turn, message: this.#reread(text.slice(end + 1)), seq };
  }

  #takeEarly(): MessageQueue<ConversationEvent> | undefined {
    const early = this.#early;
    this.#early = undefined;
    early?.makeRequired();
    return early;
  }

  readonly #dropEarly = (): void => {
    if (this.#early === undefined) return;
    const early = this.#early;
    this.#early = undefined;
    this.#queues = this.#queues.filter((queue) => queue !== early);
  };

  get #turnBytes(): number {
    return this.#flow.softMarkBytes / keptTurns;
  }
}

/** Reports the facts that observers see too. */
function observe(fact: ConversationFact, report: Report): void {
  if (fact.kind === 'turn_started') report({ kind: fact.kind, id: fact.turn });
  else if (fact.kind === 'turn_ended') report({ kind: fact.kind, id: fact.turn, outcome: fact.outcome });
  else if (fact.kind === 'turn_cut') report({ kind: 'turn_failed', id: fact.turn, error: fact.error });
  else if (fact.kind === 'exited') report({ kind: fact.kind, exit: fact.exit });
}
