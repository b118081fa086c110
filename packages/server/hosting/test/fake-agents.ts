import { Deferred, Inbox } from '@hexagent/async';
import {
  AgentExitedError,
  SdkError,
  type AgentMessage,
  type AgentRequest,
  type Ask,
  type CompletedTurn,
  type ConversationEvent,
  type ConversationFact,
  type Exit,
  type HostedAgent,
  type SessionEvent,
  type Turn,
  type TurnOutcome,
  type UserInput,
} from '@hexagent/ports';
import { CountedIds, HandClock, microtasks } from '@hexagent/testing';
import { MemoryDirectory, MemoryLeases, MemoryOutbox, SessionHost, type SessionHostOptions } from '../src/index.ts';

const usage = { input_tokens: 1, output_tokens: 1 };
const scope = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 'session' } as const;

/** What a turn that was answered came to. */
export const completed: CompletedTurn = {
  kind: 'completed',
  text: 'ok',
  usage,
  cost: 0,
  models: {},
  subagents: [],
  result: {
    type: 'result',
    subtype: 'success',
    result: 'ok',
    is_error: false,
    duration_ms: 1,
    duration_api_ms: 1,
    num_turns: 1,
    stop_reason: 'end_turn',
    total_cost_usd: 0,
    usage,
    modelUsage: {},
    permission_denials: [],
    ...scope,
  },
};

/** What an agent reports when it begins with a message. */
const started = (uuid: string): AgentMessage => ({
  type: 'command_lifecycle',
  state: 'started',
  command_uuid: uuid,
  ...scope,
});

const askFor = (id: string): Ask => ({
  id,
  kind: 'elicitation',
  request: { mcp_server_name: 's', message: 'Which?' },
  createdAt: 0,
  expiresAt: undefined,
  signal: new AbortController().signal,
});

async function* slowed(
  events: AsyncIterable<ConversationEvent>,
  { microtasksPerRead }: { readonly microtasksPerRead: number },
): AsyncIterableIterator<ConversationEvent> {
  for await (const event of events) {
    await microtasks(microtasksPerRead);
    yield event;
  }
}

/** An agent that a test plays. */
export class FakeAgent implements HostedAgent {
  readonly request: AgentRequest;
  readonly sessionId: string | undefined;
  ready: Promise<void> = Promise.resolve();
  /** How long it takes to read what has arrived, as with an agent that passes messages on. */
  microtasksPerRead = 0;
  readonly received: UserInput[] = [];
  /** How it was stopped or ended, in order. */
  readonly endings: ('interrupt' | 'close' | 'suspend')[] = [];
  readonly #events = new Inbox<ConversationEvent>();
  /** By uuid: whether it has begun. */
  readonly #open = new Map<string, boolean>();
  readonly #exited = new Deferred<Exit>();
  #idlers: Deferred<void>[] = [];
  #asked: readonly string[] = [];
  #isFinishing = false;
  #seq = 0;

  constructor(request: AgentRequest) {
    this.request = request;
    this.sessionId = request.options.resume ?? request.options.sessionId;
  }

  get exited(): Promise<Exit> {
    return this.#exited.promise;
  }

  get isAlive(): boolean {
    return !this.#exited.settled;
  }

  send(input: UserInput): Turn {
    if (!this.isAlive) throw new SdkError('CONVERSATION_CLOSED', 'It has gone.');
    const id = input.uuid ?? '';
    if (this.received.some(({ uuid }) => uuid === id)) throw new SdkError('MESSAGE_REPEATED', `It was sent ${id}.`);
    this.received.push(input);
    this.#open.set(id, false);
    this.report({ kind: 'turn_sent', turn: id });
    const unread = new Error('A host reads events.');
    return {
      id,
      get result(): never {
        throw unread;
      },
      received: Promise.resolve(),
      interrupt: async () => 'interrupted',
      [Symbol.asyncIterator]: () => {
        throw unread;
      },
    };
  }

  events(): AsyncIterable<ConversationEvent> {
    return slowed(this.#events, this);
  }

  /** Reports a fact, whatever the methods below would. */
  report(fact: ConversationFact): void {
    this.#seq += 1;
    this.#events.push({ ...fact, seq: this.#seq });
  }

  /** Begins the turn of the last message. */
  begin(): void {
    const [last] = [...this.#open.keys()].slice(-1);
    if (last !== undefined) this.start(last);
  }

  /** What it writes in the turn of a message, as texts. */
  write(uuid: string, ...texts: readonly string[]): void {
    for (const summary of texts)
      this.#write(uuid, { type: 'tool_use_summary', summary, preceding_tool_use_ids: [], ...scope });
  }

  /** Names a message that it begins with, or that joins the turn that runs. */
  start(uuid: string): void {
    const [within] = [...this.#open].flatMap(([id, hasBegun]) => (hasBegun ? [id] : []));
    this.#open.set(uuid, true);
    this.report({ kind: 'turn_started', turn: uuid, isUnsolicited: false, within });
    this.#write(uuid, started(uuid));
  }

  /** Ends the turns of these messages. */
  end(...uuids: readonly string[]): void {
    this.#endAll(uuids, completed);
  }

  /** Ends every open turn. */
  answer(outcome: TurnOutcome = completed): void {
    this.#endAll([...this.#open.keys()], outcome);
    for (const idler of this.#idlers.splice(0)) idler.resolve();
    if (this.#isFinishing) this.die({ code: 0, signal: null });
  }

  /** Has a person asked about these, and about nothing else any more. */
  ask(...ids: string[]): void {
    const [turn] = this.#open.keys();
    for (const id of this.#asked) this.report({ kind: 'ask_settled', turn, id, how: 'answered' });
    for (const id of ids) this.report({ kind: 'ask_opened', turn, ask: askFor(id) });
    this.#asked = ids;
  }

  async interrupt(): Promise<'interrupted'> {
    this.endings.push('interrupt');
    this.answer({ ...completed, kind: 'interrupted' });
    return 'interrupted';
  }

  idle(): Promise<void> {
    if (this.#open.size === 0) return Promise.resolve();
    const idler = new Deferred<void>().handled();
    this.#idlers.push(idler);
    return idler.promise;
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    if (this.#open.size === 0) this.die({ code: 0, signal: null });
    await this.exited;
  }

  async close(): Promise<void> {
    this.endings.push('close');
    this.die({ code: null, signal: 'SIGKILL' });
  }

  async suspend(): Promise<void> {
    this.endings.push('suspend');
    this.die({ code: null, signal: 'SIGKILL' });
  }

  die({ code, signal }: Pick<Exit, 'code' | 'signal'> = { code: null, signal: 'SIGKILL' }): void {
    if (!this.isAlive) return;
    const exit: Exit = { code, signal, stderr: '', closed: false };
    const error = new AgentExitedError('It died.', { exit });
    for (const turn of this.#open.keys()) this.report({ kind: 'turn_cut', turn, error });
    for (const idler of this.#idlers.splice(0)) idler.reject(error);
    this.report({ kind: 'exited', exit, error });
    this.#events.end();
    this.#exited.resolve(exit);
  }

  #endAll(uuids: readonly string[], outcome: TurnOutcome): void {
    for (const turn of uuids) {
      this.#open.delete(turn);
      this.report({ kind: 'turn_ended', turn, outcome });
    }
    if (this.#open.size === 0) this.report({ kind: 'idle' });
  }

  #write(turn: string, message: AgentMessage): void {
    this.report({ kind: 'message', turn, message });
  }
}

/** Calls back with what happens in a session. */
export async function follow(
  { host }: Pick<FakeHost, 'host'>,
  id: string,
  listener: (event: SessionEvent) => void,
): Promise<void> {
  for await (const event of host.observe(id)) listener(event);
}

export interface FakeHost extends AsyncDisposable {
  readonly host: SessionHost;
  readonly agents: readonly FakeAgent[];
  readonly clock: HandClock;
  readonly stores: Pick<SessionHostOptions, 'outbox' | 'directory' | 'leases'>;
  readonly outbox: MemoryOutbox;
  /** Lets everything happen that is due. */
  settle(): Promise<void>;
  pass(ms: number): Promise<void>;
  /** Makes a session, and gives it a message. */
  send(id: string, content?: string): ReturnType<SessionHost['send']>;
}

export function fakeHost(options: Partial<SessionHostOptions> = {}): FakeHost {
  const clock = new HandClock();
  const agents: FakeAgent[] = [];
  const outbox = new MemoryOutbox();
  const stores = { outbox, directory: new MemoryDirectory(), leases: new MemoryLeases() };
  const host = new SessionHost({
    ...stores,
    clock,
    ids: new CountedIds(),
    now: () => clock.now(),
    random: () => 1,
    open: async (request) => {
      const agent = new FakeAgent(request);
      agents.push(agent);
      return agent;
    },
    ...options,
  });
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 10; round += 1) await microtasks();
  };
  return {
    host,
    agents,
    clock,
    stores,
    outbox,
    settle,
    async pass(ms) {
      clock.advance(ms);
      await settle();
    },
    async send(id, content = 'go') {
      await host.create(id, { tenant: id.split('/')[0] });
      const receipt = await host.send(id, content);
      await settle();
      return receipt;
    },
    [Symbol.asyncDispose]: () => host.close(),
  };
}
