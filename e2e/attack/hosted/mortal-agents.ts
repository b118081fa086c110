import { agentFrames, linkedTransport, type LinkedAgent, type ReceivedFrame } from '@hexagent/testing';
import type { Transport } from '@hexagent/ports';
import type { Chance } from '../../support/chance.ts';

interface StoredTurn {
  readonly uuid: string;
  readonly content: unknown;
  /** Whether anything of the answer is stored: then the agent takes the message for done with. */
  isBegun: boolean;
  isDone: boolean;
}

/** A turn of one of these agents, for what is to happen in it. */
export interface PlayedTurn {
  readonly session: string;
  readonly uuid: string;
  readonly content: unknown;
  write(...frames: readonly object[]): void;
  /** Asks the SDK; `undefined` when the agent is interrupted or dies before the answer comes. */
  ask(request: object): Promise<Readonly<Record<string, unknown>> | undefined>;
  /** A moment passes; `false` when the agent is to do no more: it died in it, or is interrupted. */
  step(): Promise<boolean>;
}

/** What happens in the turns, instead of one text. */
export interface Play {
  /** The agent begins with a message that it has not stored. */
  begun(turn: PlayedTurn): void;
  /** The middle of an answer. */
  perform(turn: PlayedTurn): Promise<void>;
  /** The answer is complete, or was interrupted. */
  finished(turn: PlayedTurn, how: { readonly isInterrupted: boolean }): void;
}

/**
 * Agents that share stored sessions and may be killed at any step. They do what the CLI was seen to do: a message that it
 * has stored an answer to is `completed` without a turn, also where the turn was cut off; what was queued dies with the
 * process; a cut turn continues by itself where the environment says so.
 */
export class MortalAgents {
  readonly transport: Transport;
  readonly #chance: Chance;
  readonly #play: Play | undefined;
  readonly #sessions = new Map<string, StoredTurn[]>();
  readonly #alive = new Map<LinkedAgent, string>();
  /** How often each message was answered. */
  readonly answers = new Map<string, number>();
  readonly violations: string[] = [];
  mostAlive = 0;
  kills = 0;

  constructor(chance: Chance, play?: Play) {
    this.#chance = chance;
    this.#play = play;
    this.transport = linkedTransport((agent) => this.#start(agent)).transport;
  }

  get alive(): number {
    return this.#alive.size;
  }

  stored(sessionId: string): readonly string[] {
    return (this.#sessions.get(sessionId) ?? []).map(({ uuid }) => uuid);
  }

  /** kill -9 of one of them. */
  killOne(): void {
    const agents = [...this.#alive.keys()];
    if (agents.length > 0) this.#kill(this.#chance.oneOf(agents));
  }

  killAll(): void {
    for (const agent of [...this.#alive.keys()]) this.#kill(agent);
  }

  #kill(agent: LinkedAgent): void {
    this.kills += 1;
    this.#alive.delete(agent);
    agent.exit({ code: null, signal: 'SIGKILL' });
  }

  #start(agent: LinkedAgent): void {
    const args = (agent.launch?.args ?? []).map(String);
    const after = (flag: string): string | undefined => args.find((arg) => arg.startsWith(flag))?.slice(flag.length);
    const [resumed, made] = [after('--resume='), after('--session-id=')];
    const id = resumed ?? made ?? '';
    if (resumed !== undefined && !this.#sessions.has(resumed))
      return agent.exit({ code: 1, stderr: `No conversation found with session ID: ${resumed}` });
    if (made !== undefined && this.#sessions.has(made))
      return agent.exit({ code: 1, stderr: `Session ID ${made} is already in use.` });
    for (const other of this.#alive.values()) if (other === id) this.violations.push(`two agents drive ${id}`);
    this.#alive.set(agent, id);
    this.mostAlive = Math.max(this.mostAlive, this.#alive.size);
    void agent.exited.then(() => this.#alive.delete(agent));
    new MortalAgent(agent, {
      id,
      turns: () => {
        const turns = this.#sessions.get(id) ?? [];
        this.#sessions.set(id, turns);
        return turns;
      },
      chance: this.#chance,
      play: this.#play,
      isAlive: () => this.#alive.has(agent),
      die: () => this.#kill(agent),
      answered: (uuid) => void this.answers.set(uuid, (this.answers.get(uuid) ?? 0) + 1),
    }).start(agent.launch?.env['CLAUDE_CODE_RESUME_INTERRUPTED_TURN'] === '1');
  }
}

interface World {
  readonly id: string;
  /** The stored session; it is stored from the first call on. */
  readonly turns: () => StoredTurn[];
  readonly chance: Chance;
  readonly play: Play | undefined;
  readonly isAlive: () => boolean;
  readonly die: () => void;
  readonly answered: (uuid: string) => void;
}

class MortalAgent {
  readonly #agent: LinkedAgent;
  readonly #world: World;
  readonly #queue: { readonly uuid: string; readonly content: unknown }[] = [];
  readonly #requests = new Map<string, (answer?: Readonly<Record<string, unknown>>) => void>();
  #isRunning = false;
  #isInterrupted = false;
  #inputEnded = false;

  constructor(agent: LinkedAgent, world: World) {
    this.#agent = agent;
    this.#world = world;
  }

  start(continues: boolean): void {
    this.#agent.onLine((line) => this.#read(JSON.parse(line) as ReceivedFrame)); // a line of the SDK
    this.#agent.onInputEnd(() => {
      this.#inputEnded = true;
      this.#leaveIfDone();
    });
    void this.#agent.exited.then(() => this.#endRequests());
    if (continues) void this.#continue();
  }

  #read(frame: ReceivedFrame): void {
    if (!this.#world.isAlive()) return;
    if (frame.type === 'control_request') {
      // The SDK sets up no hook that must block with an agent that does not know of them.
      this.#write(agentFrames.response(frame, { hook_on_failure_supported: true }));
      if (frame.request?.subtype === 'interrupt') this.#interrupt();
      return;
    }
    if (frame.type === 'control_response') {
      const id = String(frame.response?.request_id);
      return this.#take(id, frame.response?.response);
    }
    if (frame.type !== 'user' || frame.uuid === undefined) return;
    this.#write(agentFrames.lifecycle(frame.uuid, 'queued'));
    this.#queue.push({ uuid: frame.uuid, content: frame.message?.content });
    void this.#work();
  }

  async #continue(): Promise<void> {
    const cut = this.#world.turns().findLast(({ isDone }) => !isDone);
    if (cut === undefined) return;
    this.#isRunning = true;
    this.#write(agentFrames.state('running'), agentFrames.init());
    if (await this.#answer(cut)) this.#write(this.#resultOf(cut.uuid, 'continued'));
    this.#rest();
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    const next = this.#queue.shift();
    if (next === undefined) return this.#leaveIfDone();
    const { uuid, content } = next;
    this.#isRunning = true;
    if (!(await this.#step())) return;
    const known = this.#world.turns().find((turn) => turn.uuid === uuid);
    if (known?.isBegun === true) {
      this.#write(agentFrames.lifecycle(uuid, 'completed'));
      return this.#rest();
    }
    this.#write(agentFrames.state('running'), agentFrames.lifecycle(uuid, 'started'), agentFrames.init(uuid));
    if (!(await this.#step())) return;
    const turn = known ?? { uuid, content, isBegun: false, isDone: false };
    if (known === undefined) this.#world.turns().push(turn);
    if (!(await this.#answer(turn))) return;
    this.#write(this.#resultOf(uuid, 'ok'), agentFrames.lifecycle(uuid, 'completed'));
    this.#rest();
  }

  /** The steps of an answer; `false` when the agent died in one. */
  async #answer(turn: StoredTurn): Promise<boolean> {
    if (!(await this.#step())) return false;
    const { play } = this.#world;
    const played = this.#played(turn);
    if (!turn.isBegun) play?.begun(played);
    turn.isBegun = true;
    if (play === undefined) this.#write(agentFrames.assistantText('a part'));
    else await play.perform(played);
    if (!(await this.#step())) return false;
    if (!turn.isDone) {
      this.#world.answered(turn.uuid);
      play?.finished(played, { isInterrupted: this.#isInterrupted });
    }
    turn.isDone = true;
    return await this.#step();
  }

  #played({ uuid, content }: StoredTurn): PlayedTurn {
    return {
      session: this.#world.id,
      uuid,
      content,
      write: (...frames) => this.#write(...frames),
      ask: (request) => this.#ask(request),
      step: async () => (await this.#step()) && !this.#isInterrupted,
    };
  }

  #resultOf(uuid: string, result: string): object {
    if (this.#isInterrupted) return agentFrames.interrupted(uuid);
    return agentFrames.result({ result, user_message_uuids: [uuid] });
  }

  #ask(request: object): Promise<Readonly<Record<string, unknown>> | undefined> {
    if (this.#isInterrupted || !this.#world.isAlive()) return Promise.resolve(undefined);
    const request_id = crypto.randomUUID();
    return new Promise((resolve) => {
      this.#requests.set(request_id, resolve);
      this.#write({ type: 'control_request', request_id, request });
    });
  }

  #take(id: string, answer?: Readonly<Record<string, unknown>>): void {
    this.#requests.get(id)?.(answer);
    this.#requests.delete(id);
  }

  #interrupt(): void {
    if (!this.#isRunning) return;
    this.#isInterrupted = true;
    for (const request_id of this.#requests.keys()) this.#write({ type: 'control_cancel_request', request_id });
    this.#endRequests();
  }

  #endRequests(): void {
    for (const id of [...this.#requests.keys()]) this.#take(id);
  }

  #write(...frames: readonly object[]): void {
    this.#agent.write(...frames.map((frame) => ({ ...frame, session_id: this.#world.id })));
  }

  #rest(): void {
    if (!this.#world.isAlive()) return;
    this.#write(agentFrames.state('idle'));
    this.#isRunning = false;
    this.#isInterrupted = false;
    void this.#work();
  }

  #leaveIfDone(): void {
    if (this.#inputEnded && !this.#isRunning && this.#queue.length === 0) this.#agent.exit();
  }

  /** A moment passes, in which the agent may die. */
  async #step(): Promise<boolean> {
    const turns = this.#world.chance.below(4);
    for (let turn = 0; turn <= turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    if (this.#world.isAlive() && this.#world.chance.percent(3)) this.#world.die();
    return this.#world.isAlive();
  }
}
