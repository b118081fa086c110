import type { LaunchArgument } from '@hexagent/ports';
import type { AgentSide, ReceivedFrame } from '../wire.ts';
import { checkScript } from './check-script.ts';
import { Controls } from './controls.ts';
import { ScriptedConversation } from './conversation.ts';
import { HostedServers } from './hosted-servers.ts';
import { RegisteredHooks } from './hooks.ts';
import { MessageQueue } from './message-queue.ts';
import { AgentRequests } from './requests.ts';
import type { AgentScript } from './script.ts';
import { Session } from './session.ts';
import { readStdinLine } from './stdin-line.ts';
import { BackgroundTasks } from './tasks.ts';
import { texts } from './facts.ts';

/**
 * Plays the CLI's side of the wire: the script has the turns, and everything else is like the recordings of the CLI
 * 2.1.326. It has no clock and no randomness; a script waits only at a gate.
 * @example
 * const agent = scriptedAgent({ turns: ['Hello.', [reply.tool('Bash', { command: 'ls' }), 'Done.']] });
 * const { transport } = linkedTransport(agent);
 */
export function scriptedAgent(script: AgentScript = {}): (agent: AgentSide) => void {
  checkScript(script);
  let connections = 0;
  return (agent) => {
    connections += 1;
    new ScriptedCli(agent, script, `5e550000-0000-4000-8000-${String(connections).padStart(12, '0')}`).start();
  };
}

/** Reads the input of the agent and passes each line to the part that handles it. */
class ScriptedCli {
  readonly #agent: AgentSide;
  readonly #script: AgentScript;
  readonly #requests: AgentRequests;
  readonly #controls: Controls;
  readonly #conversation: ScriptedConversation;
  /** Lines that arrived before the agent had started. */
  readonly #backlog: (() => void)[] = [];
  /** Messages that arrived while the agent was being initialized. */
  readonly #held: (() => void)[] = [];
  #started = true;
  #initializing = false;
  #sawLine = false;

  constructor(agent: AgentSide, script: AgentScript, defaultId: string) {
    const { launch } = agent;
    if (launch === undefined) throw new TypeError('This agent was not launched.');
    const { stateFrames = true, sessionId } = script;
    const id = sessionId ?? idOf(launch.args) ?? defaultId;
    const session = new Session(agent, { id, launch, stateFrames });
    const requests = new AgentRequests(session);
    const hooks = new RegisteredHooks(session, requests);
    const servers = new HostedServers(session, requests);
    const queue = new MessageQueue();
    const tasks: BackgroundTasks = new BackgroundTasks(session, () => conversation.taskEnded());
    const parts = { agent, script, session, requests, hooks, servers, queue, tasks };
    const conversation = new ScriptedConversation(parts);
    this.#controls = new Controls({ ...parts, conversation });
    this.#agent = agent;
    this.#script = script;
    this.#requests = requests;
    this.#conversation = conversation;
  }

  start(): void {
    const { start } = this.#script;
    if (start) {
      this.#started = false;
      void start.pass().then(() => {
        this.#started = true;
        for (const action of this.#backlog.splice(0)) action();
      });
    }
    this.#agent.onLine((line) => this.#onceStarted(() => this.#readLine(line)));
    this.#agent.onInputEnd(() => this.#onceStarted(() => this.#readEnd()));
  }

  #onceStarted(action: () => void): void {
    if (this.#started) action();
    else this.#backlog.push(action);
  }

  #readLine(line: string): void {
    if (this.#conversation.left) return;
    const first = !this.#sawLine;
    this.#sawLine = true;
    const read = readStdinLine(line);
    if (read.kind === 'fatal') return this.#conversation.exit({ code: 1, stderr: `${read.message}\n` });
    if (read.kind === 'ignored') return;
    if (first && this.#refusesFirst(read.frame))
      return this.#conversation.exit({ code: 1, stderr: texts.awaitsInitialize });
    this.#handle(read.frame);
  }

  /** Recording 79-await-initialize-user-first. */
  #refusesFirst({ request }: ReceivedFrame): boolean {
    return this.#agent.launch?.args.includes('--await-initialize') === true && request?.subtype !== 'initialize';
  }

  #handle(frame: ReceivedFrame): void {
    if (frame.type === 'control_response') return this.#requests.answered(frame.response);
    if (this.#initializing) return void this.#held.push(() => this.#handle(frame));
    if (frame.type === 'user') return this.#conversation.receive(frame);
    if (frame.request?.subtype === 'initialize') return void this.#initialize(frame);
    this.#controls.answer(frame);
  }

  async #initialize(frame: ReceivedFrame): Promise<void> {
    this.#initializing = true;
    const greet = await this.#controls.initialize(frame);
    this.#conversation.greeting(greet());
    this.#initializing = false;
    for (const action of this.#held.splice(0)) action();
  }

  #readEnd(): void {
    if (this.#conversation.left) return;
    if (this.#initializing) {
      this.#requests.close();
      this.#held.push(() => this.#conversation.endInput());
    } else {
      this.#conversation.endInput();
    }
  }
}

/** Recordings 43-resume-1-resume, 43-resume-3-fork, 43-resume-6-sessionId-new. */
function idOf(args: readonly LaunchArgument[]): string | undefined {
  const flag = args.includes('--fork-session') ? '--session-id=' : '--resume=';
  const found = args.find(
    (arg) => typeof arg === 'string' && (arg.startsWith(flag) || arg.startsWith('--session-id=')),
  );
  return typeof found === 'string' ? found.slice(found.indexOf('=') + 1) : undefined;
}
