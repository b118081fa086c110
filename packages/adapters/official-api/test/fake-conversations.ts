import type {
  AgentMessage,
  Conversation,
  ConversationOptions,
  Conversations,
  Exit,
  InitializeResult,
  InterruptOutcome,
  Turn,
  TurnOutcome,
  UserInput,
} from '@hexagent/ports';
import { AbortError, SdkError } from '@hexagent/ports';
import { Deferred, Inbox } from '@hexagent/async';

type Answer = Readonly<Record<string, unknown>>;

const noExit: Exit = { code: 0, signal: null, stderr: '', closed: false };

/** A conversation that does what a test says, and remembers what it was told. */
export class FakeConversation implements Conversation {
  readonly sent: UserInput[] = [];
  readonly asked: { readonly subtype: string; readonly fields: unknown }[] = [];
  readonly inbox = new Inbox<AgentMessage>();
  onMessage: ((message: AgentMessage) => void) | undefined;
  readonly answers = new Map<string, Answer | Promise<Answer> | Error>();
  ready: Promise<InitializeResult> = Promise.resolve({
    commands: [{ name: 'help', description: 'Helps', argumentHint: '' }],
    agents: [{ name: 'general', description: 'Does anything' }],
    models: [{ value: 'opus', displayName: 'Opus', description: 'Big' }],
    account: { apiKeySource: 'ANTHROPIC_API_KEY' },
  });
  /** Settles when the agent has shown that it has what is sent; at once unless a test says otherwise. */
  received: Promise<void> = Promise.resolve();
  /** Resolves `idle()`. */
  readonly resting = new Deferred<void>();
  finished = 0;
  closings = 0;
  /** A stubborn agent does not leave when it is closed. */
  stubborn = false;
  readonly #exited = new Deferred<Exit>();
  readonly #turns: Deferred<TurnOutcome>[] = [];

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  get messages(): AsyncIterableIterator<AgentMessage> {
    return this.inbox;
  }

  get turns(): AsyncIterable<Turn> {
    return new Inbox<Turn>();
  }

  send(input: string | UserInput): Turn {
    if (this.finished > 0 || this.closings > 0) throw new SdkError('CONVERSATION_CLOSED', 'Closed.');
    this.sent.push(typeof input === 'string' ? { content: input } : input);
    const result = new Deferred<TurnOutcome>().handled();
    this.#turns.push(result);
    return {
      id: String(this.sent.length),
      result: result.promise,
      received: this.received,
      interrupt: () => this.interrupt(),
      [Symbol.asyncIterator]: () => new Inbox<AgentMessage>(),
    };
  }

  interrupt(): Promise<InterruptOutcome> {
    return Promise.resolve('nothing_running');
  }

  idle(): Promise<void> {
    return this.resting.promise;
  }

  control(subtype: string, fields?: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    this.asked.push({ subtype, fields });
    const answer = this.answers.get(subtype) ?? {};
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
  }

  finish(): Promise<Exit> {
    this.finished += 1;
    return this.exited;
  }

  async close(): Promise<void> {
    this.closings += 1;
    if (!this.stubborn) this.exit({ closed: true });
    await this.exited;
  }

  /** The agent says something. */
  say(...messages: object[]): void {
    // Tests write messages as short as they can; nothing here looks into them.
    for (const message of messages) {
      this.onMessage?.(message as AgentMessage);
      this.inbox.push(message as AgentMessage);
    }
  }

  /** The agent ends the turn of the nth message with this result. */
  answer(message: object, turn = 0): void {
    this.say(message);
    this.#turns[turn]?.resolve({ kind: 'cancelled', why: 'withdrawn' });
  }

  /** The turn of the nth message breaks. */
  breakTurn(error: unknown, turn = 0): void {
    this.#turns[turn]?.reject(error);
  }

  /** The agent leaves. */
  exit(exit: Partial<Exit> = {}, error?: unknown): void {
    this.inbox.end(error === undefined ? {} : { error });
    this.#exited.resolve({ ...noExit, ...exit });
  }
}

/** Opens one fake conversation, at once or when the test says so. */
export class FakeConversations implements Conversations {
  readonly conversation = new FakeConversation();
  readonly opened: ConversationOptions[] = [];
  /** Otherwise the abort comes too late: the agent is up all the same. */
  refusesWhenAborted = false;
  readonly #slow: Deferred<void> | undefined;

  constructor({ slow = false }: { readonly slow?: boolean } = {}) {
    if (slow) this.#slow = new Deferred<void>();
  }

  async open(options: ConversationOptions): Promise<Conversation> {
    this.opened.push(options);
    this.conversation.onMessage = options.onMessage;
    options.signal?.addEventListener('abort', () => {
      if (this.refusesWhenAborted) this.#slow?.reject(new AbortError('The start was aborted.'));
    });
    await this.#slow?.promise;
    return this.conversation;
  }

  /** The agent is up. */
  finishOpening(): void {
    this.#slow?.resolve();
  }

  /** The agent could not be started. */
  failOpening(error: unknown): void {
    this.#slow?.reject(error);
  }
}
