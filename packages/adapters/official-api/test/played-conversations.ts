import type {
  AgentMessage,
  Conversation,
  ConversationOptions,
  Conversations,
  Transport,
  UserInput,
} from '@hexagent/ports';
import { AbortError } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import { ConversationService } from '@hexagent/streaming';
import {
  agentFrames,
  CountedIds,
  HandClock,
  linkedTransport,
  type ExitFields,
  type LinkedAgent,
  type ReceivedFrame,
} from '@hexagent/testing';

type Answer = Readonly<Record<string, unknown>>;

const introduction = {
  commands: [{ name: 'help', description: 'Helps', argumentHint: '' }],
  agents: [{ name: 'general', description: 'Does anything' }],
  models: [{ value: 'opus', displayName: 'Opus', description: 'Big' }],
  account: { apiKeySource: 'ANTHROPIC_API_KEY' },
};

/** The agent of a conversation of the real service, played by a test, and what the query called of that conversation. */
export class PlayedConversation {
  readonly sent: UserInput[] = [];
  readonly asked: { readonly subtype: string; readonly fields: unknown }[] = [];
  finished = 0;
  closings = 0;
  /** What the agent answers, by subtype; nothing where it is `null`, and an empty object where the subtype is missing. */
  readonly answers: Map<string, Answer | null> = new Map<string, Answer | null>([['initialize', introduction]]);
  /** What the agent refuses, by subtype. */
  readonly refusals = new Map<string, { readonly error: string; readonly error_code?: string }>();
  /** Does not leave when it is closed. */
  stubborn = false;
  readonly agent: LinkedAgent;
  /** Of the messages that were sent. */
  readonly ids: string[] = [];
  /** Every message, when it arrived. */
  readonly arrived: AgentMessage[] = [];

  constructor(agent: LinkedAgent) {
    this.agent = agent;
    agent.onLine((line) => this.#answer(JSON.parse(line) as ReceivedFrame));
  }

  /** What is called of the conversation is recorded, and then done as it is. */
  opened(real: Conversation): Conversation {
    const original = {
      send: real.send.bind(real),
      allMessages: real.allMessages.bind(real),
      controlUntyped: real.controlUntyped.bind(real),
      finish: real.finish.bind(real),
      close: real.close.bind(real),
    };
    const recording: typeof original = {
      send: (input) => {
        const turn = original.send(input);
        this.sent.push(typeof input === 'string' ? { content: input } : input);
        this.ids.push(turn.id);
        return turn;
      },
      allMessages: (onArrival) =>
        original.allMessages((message) => {
          this.arrived.push(message);
          onArrival?.(message);
        }),
      controlUntyped: (subtype, fields, options) => {
        this.asked.push({ subtype, fields });
        return original.controlUntyped(subtype, fields, options);
      },
      finish: () => {
        this.finished += 1;
        return original.finish();
      },
      close: () => {
        this.closings += 1;
        if (!this.stubborn) this.agent.onInputEnd(() => this.agent.exit());
        return original.close();
      },
    };
    return Object.assign(real, recording);
  }

  /** The agent writes. Tests write messages as short as they can; what they leave out is not looked at here. */
  say(...messages: object[]): void {
    this.agent.write(...messages);
  }

  /** The agent has the nth message. */
  confirm(turn: number): void {
    this.agent.write(agentFrames.lifecycle(this.ids[turn] ?? '', 'queued'));
  }

  /** The agent ends the turn of the nth message with this result. */
  answer(message: object, turn = 0): void {
    this.agent.write(agentFrames.lifecycle(this.ids[turn] ?? '', 'started'), message);
  }

  /** The agent leaves. */
  exit(leaving: ExitFields = {}): void {
    this.agent.exit(leaving);
  }

  #answer({ request, request_id }: ReceivedFrame): void {
    if (request === undefined) return;
    const refusal = this.refusals.get(request.subtype);
    const answer = this.answers.get(request.subtype) ?? {};
    if (refusal) this.say({ type: 'control_response', response: { subtype: 'error', request_id, ...refusal } });
    else if (this.answers.get(request.subtype) !== null) this.say(agentFrames.response({ request_id }, answer));
  }
}

/** Opens one played conversation, at once or when the test calls for it. */
export class PlayedConversations implements Conversations {
  readonly conversation: PlayedConversation;
  readonly opened: ConversationOptions[] = [];
  real: Conversation | undefined;
  /** Otherwise the abort comes too late: the agent is up all the same. */
  refusesWhenAborted = false;
  readonly #slow: Deferred<void> | undefined;
  readonly #service: ConversationService;

  constructor({ slow = false }: { readonly slow?: boolean } = {}) {
    if (slow) this.#slow = new Deferred<void>();
    const { transport, agent } = linkedTransport();
    this.conversation = new PlayedConversation(agent);
    const connect: Transport['connect'] = async (launch, { signal } = {}) => {
      signal?.addEventListener('abort', () => {
        if (this.refusesWhenAborted) this.#slow?.reject(new AbortError('The start was aborted.'));
      });
      await this.#slow?.promise;
      return await transport.connect(launch);
    };
    const parts = { transport: { connect }, clock: new HandClock(), ids: new CountedIds() };
    this.#service = new ConversationService({
      ...parts,
      protocol: new JsonRpcProtocol({ parser: wireParser, ...parts }),
    });
  }

  async open(options: ConversationOptions): Promise<Conversation> {
    this.opened.push(options);
    this.real = this.conversation.opened(await this.#service.open(options));
    return this.real;
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
