import type { AgentSide, Leaving, ReceivedFrame } from '../wire.ts';
import type { MessageQueue } from './message-queue.ts';
import { reply, type AgentScript, type TurnScript } from './script.ts';
import type { BackgroundTasks } from './tasks.ts';
import type { ToolParts } from './tool-calls.ts';
import { Turn, type Occasion } from './turn.ts';

export interface ConversationParts extends ToolParts {
  readonly agent: AgentSide;
  readonly script: AgentScript;
  readonly queue: MessageQueue;
  readonly tasks: BackgroundTasks;
}

/** Which turn runs, what waits, and when the agent goes. Recordings 22, 35, 40, 44, 54, 75, 87, h-shell-*. */
export class ScriptedConversation {
  readonly #parts: ConversationParts;
  readonly #seen = new Set<string>();
  /** Settles when the hosted servers can be used. */
  #greeted: Promise<void> = Promise.resolve();
  #turn: Turn | undefined;
  #working = false;
  #begun = false;
  #saidIdle = true;
  #inputEnded = false;
  #left = false;
  /** An interrupt was the last thing that happened: then background shells do not outlive the input. */
  #stopping = false;
  #lastIsError = false;
  #turns = 0;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  get left(): boolean {
    return this.#left;
  }

  /** Whether a message was heard. */
  get begun(): boolean {
    return this.#begun;
  }

  greeting(done: Promise<void>): void {
    this.#greeted = done;
  }

  hear(message: ReceivedFrame): void {
    const { session, queue } = this.#parts;
    if (message.uuid !== undefined && this.#seen.has(message.uuid)) {
      // Recordings 75-interrupt-cancel-queued, h-repeated-uuid: dropped without a word about it.
      this.sayIdle();
      return;
    }
    if (message.uuid !== undefined) this.#seen.add(message.uuid);
    this.#begun = true;
    this.#sayRunning();
    queue.add(message);
    session.lifecycle(message, 'queued');
    if (message.priority === 'now') this.#turn?.interrupt('now');
    this.#work();
  }

  interrupt(): void {
    this.#stopping = true;
    this.#turn?.interrupt('interrupt');
  }

  taskEnded(): void {
    if (!this.#working) this.#work();
  }

  /** Once more, if it is idle still. */
  sayIdle(): void {
    if (!this.#idle) return;
    this.#saidIdle = true;
    this.#parts.session.state('idle');
  }

  #sayRunning(): void {
    if (this.#saidIdle) this.#parts.session.state('running');
    this.#saidIdle = false;
  }

  endInput(): void {
    this.#inputEnded = true;
    this.#parts.requests.close();
    // Recordings h-interrupt-idle-with-shell, h-shell-interrupt-eof; without an interrupt they live on, h-shell-eof.
    if (this.#stopping) this.#parts.tasks.stopAll();
    this.#leaveIfDone();
  }

  /** Recording h-two-shells-stop-one. */
  endSession(): void {
    this.sayIdle();
    this.#parts.tasks.stopAll();
    this.leave({ code: 0 });
  }

  leave(leaving: Leaving): void {
    this.#left = true;
    this.#parts.agent.exit(leaving);
  }

  get #idle(): boolean {
    return !this.#working && !this.#parts.tasks.delegated;
  }

  #work(): void {
    if (this.#working || this.#left) return;
    this.#working = true;
    this.#workAll().catch((error: unknown) => {
      // A mistake in the script or in this agent: it dies of it, as a program would.
      this.leave({ code: 1, stderr: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    });
  }

  async #workAll(): Promise<void> {
    const { queue, tasks } = this.#parts;
    for (;;) {
      const message = queue.take();
      if (message) {
        await this.#playMessage(message);
      } else {
        const report = tasks.nextReport();
        if (report === undefined) break;
        this.#sayRunning();
        const origin = { kind: 'task-notification', producer: 'session-task', runId: report.runId };
        await this.#play({ origin: { origin } }, report.step.report ?? `Noted: ${report.step.description}`);
      }
      if (this.#left) return;
    }
    this.#working = false;
    this.sayIdle();
    this.#leaveIfDone();
  }

  async #playMessage(message: ReceivedFrame): Promise<void> {
    const { session } = this.#parts;
    session.lifecycle(message, 'started');
    if (message['shouldQuery'] === false) {
      // Recording 22-streaming-multi-turn-queue-priority.
      const marks = message.uuid === undefined ? {} : { user_message_uuids: [message.uuid] };
      session.init(marks);
      session.result({ num_turns: 0, stop_reason: null, result: '', user_message_uuid: message.uuid, ...marks });
      session.lifecycle(message, 'completed');
      return;
    }
    const turn = await this.#play({ message }, undefined);
    if (!this.#left) session.lifecycle(message, turn.interrupted ? 'cancelled' : 'completed');
  }

  async #play(occasion: Occasion, script: TurnScript | undefined): Promise<Turn> {
    this.#stopping = false;
    const turn = new Turn(
      {
        ...this.#parts,
        exit: (leaving) => this.leave(leaving),
        continuation: () => this.#nextScript(occasion.message),
      },
      occasion,
    );
    this.#turn = turn;
    await this.#greeted;
    await turn.play(script ?? this.#nextScript(occasion.message));
    this.#turn = undefined;
    this.#lastIsError = turn.isError;
    return turn;
  }

  #nextScript(message: ReceivedFrame | undefined): TurnScript {
    const { turns = [] } = this.#parts.script;
    const index = this.#turns;
    this.#turns += 1;
    if (typeof turns === 'function') return turns(message ?? { type: 'user' }, index);
    return (
      turns[index] ??
      reply.apiError(null, `The script of the agent has ${turns.length} turns, and this is turn ${index + 1}.`)
    );
  }

  /** Recordings 32 and 33: the exit code tells of the last result. Recording h-shell-eof: a shell keeps the agent. */
  #leaveIfDone(): void {
    if (!this.#inputEnded || this.#working || this.#left || this.#parts.tasks.size > 0) return;
    this.leave({ code: this.#lastIsError ? 1 : 0 });
  }
}
