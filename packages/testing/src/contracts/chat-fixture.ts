import { assert } from './assert.ts';
import type {
  ChatApprovals,
  ChatCaller,
  ChatHistory,
  ChatInput,
  ChatSessions,
  ChatStream,
  ChatSendOptions,
} from '@hexagent/ports';
import type { Runner } from './runner.ts';

/** A request for approval that a test lets the agent make. */
export interface AskedOfPerson {
  /** Of a question, the only one is "Which?", with the options "this" and "that". */
  readonly kind: 'permission' | 'question' | 'plan';
  /** How many changes are suggested; only with `permission`. */
  readonly suggestions?: number | undefined;
}

/** An answer as the agent received it. */
export interface ReceivedAnswer {
  readonly approved: boolean;
  /** How many of the suggested changes came with it. */
  readonly suggestions: number;
  /** All of it, as a text in which a reason, an answer to a question and a changed plan are found. */
  readonly text: string;
}

/** The turn that an agent is in, as a test moves it on. */
export interface ContractTurn {
  /** Lets the agent write this text. */
  write(text: string): Promise<void> | void;
  /** Lets the agent ask a person. Resolves once it waits for the answer. */
  ask(asked: AskedOfPerson): Promise<{ readonly id: string; readonly answer: Promise<ReceivedAnswer> }>;
  /** Lets the agent end the turn, a moment later or at once. */
  end(): Promise<void> | void;
  /** Lets the agent die in the turn. Whatever is set to continue by itself does not. */
  die(): Promise<void> | void;
}

/** Chats under test, and the agents behind them. */
export interface OpenedChats {
  readonly sessions: ChatSessions;
  readonly history: ChatHistory;
  readonly approvals: ChatApprovals;
  /** The turn that the agent of a chat is in. Resolves once it has begun. */
  turn(chatId: string, caller: ChatCaller): Promise<ContractTurn>;
  /** The texts of the messages that the agents of a chat began with, in order, each as often as that happened. */
  received(chatId: string, caller: ChatCaller): readonly string[];
  /** What a message of the history shows. Default: that of a message of the AI SDK. */
  readonly textOf?: ((message: unknown) => string) | undefined;
  /** Called at the end of each test. */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** A kind of chats under test. What it cannot do is reported as skipped. */
export interface ChatsFixture {
  /** Chats of which there is none yet. Any number of them fits. */
  readonly open: () => Promise<OpenedChats> | OpenedChats;
  /** The same, where fewer than ten fit. Left out where nothing is ever full. */
  readonly openSmall?: (() => Promise<OpenedChats> | OpenedChats) | undefined;
}

export type KeepChatPromise = (chats: OpenedChats) => Promise<void>;
export type ChatPromises = Readonly<Record<string, KeepChatPromise>>;

/** Registers one test for each promise, with chats of its own. */
export function runChatPromises({ it }: Runner, open: ChatsFixture['openSmall'], promises: ChatPromises): void {
  for (const [name, keep] of Object.entries(promises)) {
    if (open === undefined) it.skip(name, async () => {});
    else
      it(name, async () => {
        const opened = await open();
        try {
          await keep(opened);
        } finally {
          await opened.close?.();
        }
      });
  }
}

export const ada: ChatCaller = { name: 'ada' };
export const of = (tenant: string): ChatCaller => ({ name: 'ada', tenant });
export const message = (id: string): ChatInput => ({ id, content: `text of ${id}` });
export const alone = { steer: false } as const;
export const steering = { steer: true } as const;

/** Sends a message that must be accepted, and returns the stream of its turn. */
export async function accepted(
  { sessions }: Pick<OpenedChats, 'sessions'>,
  chatId: string,
  { id, caller = ada, sendOptions = alone }: { id: string; caller?: ChatCaller; sendOptions?: ChatSendOptions },
): Promise<ChatReading> {
  const started = await sessions.start(chatId, message(id), sendOptions, caller);
  assert.ok(started.kind === 'accepted', `The message ${id} of ${chatId} is ${started.kind}, not accepted.`);
  return new ChatReading(started.stream);
}

/** A whole turn, with one text. */
export async function wholeTurn(
  chats: OpenedChats,
  chatId: string,
  id: string,
  caller: ChatCaller = ada,
): Promise<string> {
  const reading = await accepted(chats, chatId, { id, caller });
  const turn = await chats.turn(chatId, caller);
  await turn.write(answerTo(id));
  await turn.end();
  return await reading.rest();
}

export const answerTo = (id: string): string => `answer to ${id}.`;

/** How often a text is in another. */
export const count = (whole: string, part: string): number => whole.split(part).length - 1;

/** The stream of a turn as one of its readers has it. */
export class ChatReading {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #seen = '';

  constructor({ headers, body }: ChatStream) {
    assert.ok(Object.keys(headers).length > 0, 'The stream does not say which format it has.');
    this.#reader = body.getReader();
  }

  /** Reads on until this was streamed. */
  async until(text: string): Promise<void> {
    while (!this.#seen.includes(text))
      assert.ok(await this.#read(), `The stream ended before "${text}" came: ${this.#seen}`);
  }

  /** Reads to the end, and returns everything that came. */
  async rest(): Promise<string> {
    while (await this.#read());
    return this.#seen;
  }

  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }

  async #read(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    if (!done) this.#seen += this.#decoder.decode(value, { stream: true });
    return !done;
  }
}

/** The stream of the turn that runs in a chat. */
export async function reading(
  { sessions }: Pick<OpenedChats, 'sessions'>,
  chatId: string,
  caller: ChatCaller = ada,
): Promise<ChatReading> {
  const stream = await sessions.stream(chatId, caller);
  assert.ok(stream !== undefined, `No turn runs in ${chatId}.`);
  return new ChatReading(stream);
}

/** Until the clock of the system shows another millisecond, so that what comes next is newer. */
export async function laterMillisecond(): Promise<void> {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setImmediate(resolve));
}
