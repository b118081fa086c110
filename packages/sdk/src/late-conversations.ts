import type { Clock, Connection, Conversation, ConversationOptions, Conversations, Transport } from '@hexagent/ports';
import { attempt, handled, notify } from '@hexagent/async';
import { closeUnused, startsAgent } from '@hexagent/streaming';

export interface LateConversationsParts {
  readonly transport: Transport;
  readonly clock: Clock;
  /** Loads what `over` needs; `undefined` once that is loaded. */
  readonly load: () => Promise<void> | undefined;
  /** Makes the service over a transport. */
  readonly over: (transport: Transport) => Conversations;
}

/**
 * Opens conversations by a service whose code is loaded while the first agent starts: nothing of it is needed before that
 * agent runs, and with it an import of the facade would load a third more.
 */
export class LateConversations implements Conversations {
  readonly #parts: LateConversationsParts;
  #service: Conversations | undefined;

  constructor(parts: LateConversationsParts) {
    this.#parts = parts;
  }

  open(options: ConversationOptions): Promise<Conversation> {
    const { transport, load, over } = this.#parts;
    const loading = load();
    if (loading !== undefined) return this.#openMeanwhile(loading, options);
    this.#service ??= over(transport);
    return this.#service.open(options);
  }

  async #openMeanwhile(loading: Promise<void>, options: ConversationOptions): Promise<Conversation> {
    const { transport, clock, over } = this.#parts;
    const early = startsAgent(options) ? new EarlyConnection(transport, options, clock) : undefined;
    try {
      await loading;
    } catch (error) {
      // No service is made that would close them.
      for (const feature of options.features ?? []) notify(() => feature.close?.());
      await early?.closeUnlessTaken();
      throw error;
    }
    try {
      return await over(early ?? transport).open(options);
    } finally {
      await early?.closeUnlessTaken();
    }
  }
}

/** Connects at once: the folder of this process at the call decides what a relative path means. */
class EarlyConnection implements Transport {
  readonly #connection: Promise<Connection>;
  readonly #clock: Clock;
  #isTaken = false;

  constructor(transport: Transport, { launch, signal }: ConversationOptions, clock: Clock) {
    this.#connection = handled(attempt(() => transport.connect(launch, { signal })));
    this.#clock = clock;
  }

  connect(): Promise<Connection> {
    this.#isTaken = true;
    return this.#connection;
  }

  /** For an agent that was started in vain. */
  async closeUnlessTaken(): Promise<void> {
    if (!this.#isTaken) await closeUnused(this.#connection, this.#clock);
  }
}
