import { Deferred, Inbox } from '@hexagent/async';
import {
  AgentExitedError,
  SdkError,
  type AgentMessage,
  type AgentRequest,
  type CompletedTurn,
  type Exit,
  type HostedAgent,
  type Turn,
  type TurnOutcome,
  type UserInput,
} from '@hexagent/ports';
import { CountedIds, HandClock, microtasks } from '@hexagent/testing';
import { MemoryDirectory, MemoryLeases, MemoryOutbox, SessionHost, type SessionHostOptions } from '../src/index.ts';

interface FakeTurn {
  readonly messages: Inbox<AgentMessage>;
  readonly result: Deferred<TurnOutcome>;
}

const usage = { input_tokens: 1, output_tokens: 1 };
const scope = { uuid: '00000000-0000-4000-8000-000000000000', session_id: 'session' } as const;

/** What a turn that was answered came to. */
const completed: CompletedTurn = {
  kind: 'completed',
  text: 'ok',
  usage,
  cost: 0,
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

async function* slowed(
  messages: AsyncIterable<AgentMessage>,
  { microtasksPerRead }: { readonly microtasksPerRead: number },
): AsyncIterableIterator<AgentMessage> {
  for await (const message of messages) {
    await microtasks(microtasksPerRead);
    yield message;
  }
}

/** An agent that a test plays. */
export class FakeAgent implements HostedAgent {
  readonly request: AgentRequest;
  readonly sessionId: string | undefined;
  ready: Promise<void> = Promise.resolve();
  /** How long it takes to read a message that has arrived, as with an agent that passes messages on. */
  microtasksPerRead = 0;
  readonly turns: Inbox<Turn> = new Inbox<Turn>();
  readonly messages: Inbox<AgentMessage> = new Inbox<AgentMessage>();
  readonly received: UserInput[] = [];
  readonly pending: { ids: string[]; list(): { id: string }[]; onChange(listener: () => void): () => void };
  readonly #open = new Map<string, FakeTurn>();
  readonly #exited = new Deferred<Exit>();
  #idlers: Deferred<void>[] = [];
  #changed: () => void = () => {};
  #isFinishing = false;

  constructor(request: AgentRequest) {
    this.request = request;
    this.sessionId = request.options.resume ?? request.options.sessionId;
    const ids: string[] = [];
    this.pending = {
      ids,
      list: () => ids.map((id) => ({ id })),
      onChange: (listener) => {
        this.#changed = listener;
        return () => {};
      },
    };
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
    const turn = { messages: new Inbox<AgentMessage>(), result: new Deferred<TurnOutcome>().handled() };
    this.received.push(input);
    this.#open.set(id, turn);
    return {
      id,
      result: turn.result.promise,
      received: Promise.resolve(),
      interrupt: async () => 'interrupted',
      [Symbol.asyncIterator]: () => (this.microtasksPerRead === 0 ? turn.messages : slowed(turn.messages, this)),
    };
  }

  /** Begins the turn of the last message. */
  begin(): void {
    const [last] = [...this.#open.keys()].slice(-1);
    if (last !== undefined) this.start(last);
  }

  /** What it writes in the turn of a message, as texts. */
  write(uuid: string, ...texts: readonly string[]): void {
    for (const summary of texts)
      this.#open.get(uuid)?.messages.push({ type: 'tool_use_summary', summary, preceding_tool_use_ids: [], ...scope });
  }

  /** Names a message that it begins with, or that joins the turn that runs. */
  start(uuid: string): void {
    this.#open.get(uuid)?.messages.push(started(uuid));
  }

  /** Ends the turns of these messages. */
  end(...uuids: readonly string[]): void {
    for (const uuid of uuids) {
      this.#open.get(uuid)?.messages.end();
      this.#open.get(uuid)?.result.resolve(completed);
      this.#open.delete(uuid);
    }
  }

  /** Ends every open turn. */
  answer(outcome: TurnOutcome = completed): void {
    for (const turn of this.#open.values()) {
      turn.messages.end();
      turn.result.resolve(outcome);
    }
    this.#open.clear();
    for (const idler of this.#idlers.splice(0)) idler.resolve();
    if (this.#isFinishing) this.die({ code: 0, signal: null });
  }

  ask(...ids: string[]): void {
    this.pending.ids.splice(0, Infinity, ...ids);
    this.#changed();
  }

  async interrupt(): Promise<'interrupted'> {
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
    this.die({ code: null, signal: 'SIGKILL' });
  }

  die({ code, signal }: Pick<Exit, 'code' | 'signal'> = { code: null, signal: 'SIGKILL' }): void {
    if (!this.isAlive) return;
    const exit: Exit = { code, signal, stderr: '', closed: false };
    const error = new AgentExitedError('It died.', { exit });
    for (const turn of this.#open.values()) {
      turn.messages.end({ error });
      turn.result.reject(error);
    }
    for (const idler of this.#idlers.splice(0)) idler.reject(error);
    this.turns.end();
    this.messages.end();
    this.#exited.resolve(exit);
  }
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
