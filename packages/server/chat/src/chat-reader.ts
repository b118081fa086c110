import type { SessionHost } from '@hexagent/hosting';
import { SdkError, type SessionEvent } from '@hexagent/ports';
import { LiveChat, type LiveChatOptions } from './live-chat.ts';

interface ChatReaderOptions {
  readonly host: Pick<SessionHost, 'observe' | 'position' | 'logged'>;
  readonly key: string;
  readonly live: LiveChatOptions;
  /** Called with each event, before those who wait for it. */
  readonly receive: (event: SessionEvent, live: LiveChat) => void;
  /** Called where no more events come although the chat was not left: the host is closed, or its log failed. */
  readonly lost: (error: unknown) => void;
}

/** Reads what happens in the session of a chat, and folds it into what is shown. */
export class ChatReader {
  readonly live: LiveChat;
  readonly ended: Promise<void>;
  readonly #options: ChatReaderOptions;
  readonly #leaving = new AbortController();
  /** Callers of `caughtUp()`. */
  readonly #waiting = new Set<{ readonly seq: string; readonly resolve: () => void }>();

  constructor(options: ChatReaderOptions) {
    const { host, key } = options;
    this.#options = options;
    this.live = new LiveChat(options.live, host.position(key));
    this.ended = this.#read(host.observe(key, { from: 'turn', signal: this.#leaving.signal }));
  }

  /** Resolves when what happened so far is shown. */
  async caughtUp(): Promise<void> {
    const { host, key } = this.#options;
    await host.logged(key);
    const seq = host.position(key);
    if (this.live.cursor < seq && !this.#leaving.signal.aborted)
      await new Promise<void>((resolve) => void this.#waiting.add({ seq, resolve }));
  }

  /** Shows nothing more. */
  leave(): void {
    this.#leaving.abort();
    this.#wake();
  }

  async #read(events: AsyncIterable<SessionEvent>): Promise<void> {
    const { signal } = this.#leaving;
    let end: unknown = new SdkError('HOST_CLOSED', 'The chats were closed.');
    try {
      for await (const event of events) {
        // The reader that takes its place reads this, too.
        if (signal.aborted) return;
        this.#options.receive(event, this.live);
        this.#wake();
      }
    } catch (error) {
      end = error;
    }
    if (signal.aborted) return;
    this.live.drop(end);
    this.leave();
    this.#options.lost(end);
  }

  #wake(): void {
    for (const waiter of this.#waiting) {
      if (this.live.cursor < waiter.seq && !this.#leaving.signal.aborted) continue;
      this.#waiting.delete(waiter);
      waiter.resolve();
    }
  }
}
