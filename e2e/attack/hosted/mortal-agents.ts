import { agentFrames, linkedTransport, type LinkedAgent, type ReceivedFrame } from '@hexagent/testing';
import type { Transport } from '@hexagent/ports';
import type { Chance } from '../chance.ts';

interface StoredTurn {
  readonly uuid: string;
  /** Whether anything of the answer is stored: then the agent takes the message for done with. */
  isBegun: boolean;
  isDone: boolean;
}

/**
 * Agents that share stored sessions and may be killed at any step. They do what the CLI was seen to do: a message that it
 * has stored an answer to is `completed` without a turn, also where the turn was cut off; what was queued dies with the
 * process; a cut turn goes on by itself where the environment says so.
 */
export class MortalAgents {
  readonly transport: Transport;
  readonly #chance: Chance;
  readonly #sessions = new Map<string, StoredTurn[]>();
  readonly #alive = new Map<LinkedAgent, string>();
  /** How often each message was answered. */
  readonly answers = new Map<string, number>();
  readonly violations: string[] = [];
  mostAlive = 0;
  kills = 0;

  constructor(chance: Chance) {
    this.#chance = chance;
    this.transport = linkedTransport((agent) => this.#play(agent)).transport;
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

  #play(agent: LinkedAgent): void {
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
  readonly isAlive: () => boolean;
  readonly die: () => void;
  readonly answered: (uuid: string) => void;
}

class MortalAgent {
  readonly #agent: LinkedAgent;
  readonly #world: World;
  readonly #queue: string[] = [];
  #isRunning = false;
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
    if (continues) void this.#continue();
  }

  #read(frame: ReceivedFrame): void {
    if (!this.#world.isAlive()) return;
    if (frame.type === 'control_request') {
      this.#write(agentFrames.response(frame));
      return;
    }
    if (frame.type !== 'user' || frame.uuid === undefined) return;
    this.#write(agentFrames.lifecycle(frame.uuid, 'queued'));
    this.#queue.push(frame.uuid);
    void this.#work();
  }

  async #continue(): Promise<void> {
    const cut = this.#world.turns().findLast(({ isDone }) => !isDone);
    if (cut === undefined) return;
    this.#isRunning = true;
    this.#write(agentFrames.state('running'), agentFrames.init());
    if (await this.#answer(cut))
      this.#write(agentFrames.result({ result: 'continued', user_message_uuids: [cut.uuid] }));
    this.#rest();
  }

  async #work(): Promise<void> {
    if (this.#isRunning) return;
    const uuid = this.#queue.shift();
    if (uuid === undefined) return this.#leaveIfDone();
    this.#isRunning = true;
    if (!(await this.#step())) return;
    const known = this.#world.turns().find((turn) => turn.uuid === uuid);
    if (known?.isBegun === true) {
      this.#write(agentFrames.lifecycle(uuid, 'completed'));
      return this.#rest();
    }
    this.#write(agentFrames.state('running'), agentFrames.lifecycle(uuid, 'started'), agentFrames.init(uuid));
    if (!(await this.#step())) return;
    const turn = known ?? { uuid, isBegun: false, isDone: false };
    if (known === undefined) this.#world.turns().push(turn);
    if (!(await this.#answer(turn))) return;
    this.#write(
      agentFrames.result({ result: 'ok', user_message_uuids: [uuid] }),
      agentFrames.lifecycle(uuid, 'completed'),
    );
    this.#rest();
  }

  /** The steps of an answer; `false` when the agent died in one. */
  async #answer(turn: StoredTurn): Promise<boolean> {
    if (!(await this.#step())) return false;
    turn.isBegun = true;
    this.#write(agentFrames.assistantText('a part'));
    if (!(await this.#step())) return false;
    if (!turn.isDone) this.#world.answered(turn.uuid);
    turn.isDone = true;
    return await this.#step();
  }

  #write(...frames: readonly object[]): void {
    this.#agent.write(...frames.map((frame) => ({ ...frame, session_id: this.#world.id })));
  }

  #rest(): void {
    if (!this.#world.isAlive()) return;
    this.#write(agentFrames.state('idle'));
    this.#isRunning = false;
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
