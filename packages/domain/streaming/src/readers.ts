import type { AgentMessage, ConversationOptions, Turn } from '@hexagent/ports';
import type { Inbox } from '@hexagent/async';
import type { Flow } from './flow.ts';
import type { LiveTurn } from './live-turn.ts';
import { Mailbox } from './mailbox.ts';

/** How many turns that nobody sent are kept for a late reader of `turns`. */
const keptTurns = 16;
/** What a message that waits costs beside its line: its place in the queue. Frames of 22 bytes would cost five times as much as they count. */
const placeBytes = 128;

/** Who reads what: each turn its own messages and `messages` the rest, or `messages` everything. */
export class Readers {
  readonly #flow: Flow;
  readonly #onMessage: ((message: AgentMessage) => void) | undefined;
  readonly #reread: (line: string) => AgentMessage;
  readonly #whole: boolean;
  readonly #messages: Mailbox;
  readonly #unsent: Mailbox<Turn>;

  constructor(
    flow: Flow,
    { reading, onMessage }: Pick<ConversationOptions, 'reading' | 'onMessage'>,
    reread: (line: string) => AgentMessage,
  ) {
    this.#flow = flow;
    this.#onMessage = onMessage;
    this.#reread = reread;
    this.#whole = reading === 'whole';
    this.#messages = new Mailbox(flow, { optional: !this.#whole, restore: reread });
    this.#unsent = new Mailbox<Turn>(flow, { optional: true });
  }

  get turns(): Inbox<Turn> {
    return this.#unsent.open();
  }

  get messages(): Inbox<AgentMessage> {
    return this.#messages.open();
  }

  /** For the messages of a turn that was sent: whoever sent it is expected to read it, or to ask for its result. */
  boxOfSent(): Mailbox {
    return new Mailbox(this.#flow, { optional: false, restore: this.#reread });
  }

  /** For the messages of a turn that nobody sent, and that perhaps nobody reads. */
  boxOfUnsent(): Mailbox {
    // All that are kept for a late reader of `turns` together take no more than the soft mark.
    const keepBytes = this.#unsent.isOpen ? this.#flow.softMarkBytes : this.#turnBytes;
    return new Mailbox(this.#flow, { optional: true, keepBytes, restore: this.#reread });
  }

  announce(turn: Turn): void {
    this.#unsent.push(turn, this.#turnBytes);
  }

  deliver(message: AgentMessage, line: string, owner: LiveTurn | undefined): void {
    this.#onMessage?.(message);
    const box = this.#whole || owner === undefined ? this.#messages : owner.mailbox;
    box.push(message, line.length + placeBytes, line);
  }

  /** Whoever waits for the end of everything does not read what nobody has begun to read. */
  readNoMore(turns: Iterable<LiveTurn>): void {
    this.#messages.makeOptional();
    for (const turn of turns) turn.mailbox.makeOptional();
  }

  /** What was delivered before can still be read. */
  end(error: Error | undefined): void {
    this.#messages.end(error && { error });
    this.#unsent.end();
  }

  /** Drops what is unread. */
  cut(error: Error | undefined): void {
    this.#messages.cut(error && { error });
    this.#unsent.cut(error && { error });
  }

  get #turnBytes(): number {
    return this.#flow.softMarkBytes / keptTurns;
  }
}
