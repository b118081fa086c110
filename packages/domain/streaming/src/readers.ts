import type { AgentMessage, ConversationOptions, Turn } from '@hexagent/ports';
import type { Inbox } from '@hexagent/async';
import type { Flow } from './flow.ts';
import type { LiveTurn } from './live-turn.ts';
import { MessageQueue } from './message-queue.ts';

/** How many unsolicited turns are kept for a late reader of `turns`. */
const keptTurns = 16;
/** What an unread message costs beside its line. Without it frames of 22 bytes would take five times the memory that they count. */
const placeBytes = 128;

/** Delivers messages: to each turn its own and the rest to `messages`, or all to `messages`. */
export class Readers {
  readonly #flow: Flow;
  readonly #onMessage: ((message: AgentMessage) => void) | undefined;
  readonly #reread: (line: string) => AgentMessage;
  readonly #deliversAll: boolean;
  readonly #messages: MessageQueue;
  readonly #unsolicited: MessageQueue<Turn>;

  constructor(
    flow: Flow,
    { delivery, onMessage }: Pick<ConversationOptions, 'delivery' | 'onMessage'>,
    reread: (line: string) => AgentMessage,
  ) {
    this.#flow = flow;
    this.#onMessage = onMessage;
    this.#reread = reread;
    this.#deliversAll = delivery === 'all';
    this.#messages = new MessageQueue(flow, { optional: !this.#deliversAll, restore: reread });
    this.#unsolicited = new MessageQueue<Turn>(flow, { optional: true });
  }

  get turns(): Inbox<Turn> {
    return this.#unsolicited.open();
  }

  get messages(): Inbox<AgentMessage> {
    return this.#messages.open();
  }

  /** For the messages of a turn that was sent. They count until the result is asked for, since the sender is expected to read. */
  queueForSentTurn(): MessageQueue {
    return new MessageQueue(this.#flow, { optional: false, restore: this.#reread });
  }

  /** For the messages of an unsolicited turn, which may never be read. */
  queueForUnsolicitedTurn(): MessageQueue {
    // Before `turns` is read, caps all unsolicited turns together at `softMarkBytes`.
    const keepBytes = this.#unsolicited.isOpen ? this.#flow.softMarkBytes : this.#turnBytes;
    return new MessageQueue(this.#flow, { optional: true, keepBytes, restore: this.#reread });
  }

  announce(turn: Turn): void {
    this.#unsolicited.push(turn, this.#turnBytes);
  }

  deliver(message: AgentMessage, line: string, owner: LiveTurn | undefined): void {
    this.#onMessage?.(message);
    const queue = this.#deliversAll || owner === undefined ? this.#messages : owner.queue;
    queue.push(message, line.length + placeBytes, line);
  }

  /** What is not being read no longer pauses the agent. For callers that wait for the end of everything. */
  stopCountingUnread(turns: Iterable<LiveTurn>): void {
    this.#messages.makeOptional();
    for (const turn of turns) turn.queue.makeOptional();
  }

  /** What was delivered before can still be read. */
  end(error: Error | undefined): void {
    this.#messages.end(error && { error });
    this.#unsolicited.end();
  }

  /** Drops what is unread. */
  cut(error: Error | undefined): void {
    this.#messages.cut(error && { error });
    this.#unsolicited.cut(error && { error });
  }

  get #turnBytes(): number {
    return this.#flow.softMarkBytes / keptTurns;
  }
}
