import type { AgentSide, ExitFields, ReceivedFrame } from '../wire.ts';
import { crashText } from '../crash-text.ts';
import { checkTurn } from './check-script.ts';
import type { MessageQueue } from './message-queue.ts';
import { isCompaction, writeCompaction } from './compaction.ts';
import { reply, toSteps } from './reply.ts';
import type { AgentScript, TurnScript } from './script.ts';
import type { BackgroundTasks } from './tasks.ts';
import type { ToolParts } from './tool-calls.ts';
import { Turn, type TurnCause } from './turn.ts';

export interface ConversationParts extends ToolParts {
  readonly agent: AgentSide;
  readonly script: AgentScript;
  readonly queue: MessageQueue;
  readonly tasks: BackgroundTasks;
}

/** Decides which turn runs, which messages wait, and when the agent exits. Recordings 22, 35, 40, 44, 54, 75, 87, h-shell-*. */
export class ScriptedConversation {
  readonly #parts: ConversationParts;
  readonly #seen = new Set<string>();
  /** Settles when the hosted servers can be used. */
  #greeted: Promise<void> = Promise.resolve();
  #turn: Turn | undefined;
  #working = false;
  #begun = false;
  #reportedIdle = true;
  #inputEnded = false;
  #hasExited = false;
  /** Whether the last event was an interrupt: then background shells end with the input. */
  #stopping = false;
  #lastIsError = false;
  #turns = 0;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
  }

  get left(): boolean {
    return this.#hasExited;
  }

  /** Whether a message was received. */
  get begun(): boolean {
    return this.#begun;
  }

  greeting(done: Promise<void>): void {
    this.#greeted = done;
  }

  receive(message: ReceivedFrame): void {
    const { session, queue } = this.#parts;
    if (message.uuid !== undefined && this.#seen.has(message.uuid)) {
      // Recordings 75-interrupt-cancel-queued, h-repeated-uuid: dropped silently.
      this.reportIdle();
      return;
    }
    if (message.uuid !== undefined) this.#seen.add(message.uuid);
    this.#begun = true;
    this.#reportRunning();
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

  /** Reports idle again, if it is still idle. */
  reportIdle(): void {
    if (!this.#idle) return;
    this.#reportedIdle = true;
    this.#parts.session.state('idle');
  }

  #reportRunning(): void {
    if (this.#reportedIdle) this.#parts.session.state('running');
    this.#reportedIdle = false;
  }

  endInput(): void {
    this.#inputEnded = true;
    this.#parts.requests.close();
    // Recordings h-interrupt-idle-with-shell, h-shell-interrupt-eof; without an interrupt they live on, h-shell-eof.
    if (this.#stopping) this.#parts.tasks.stopAll();
    this.#exitIfDone();
  }

  /** Recording h-two-shells-stop-one. */
  endSession(): void {
    this.reportIdle();
    this.#parts.tasks.stopAll();
    this.exit({ code: 0 });
  }

  exit(fields: ExitFields): void {
    this.#hasExited = true;
    this.#parts.agent.exit(fields);
  }

  get #idle(): boolean {
    return !this.#working && !this.#parts.tasks.delegated;
  }

  #work(): void {
    if (this.#working || this.#hasExited) return;
    this.#working = true;
    this.#workAll().catch((error: unknown) => {
      // An error of the script or of this agent ends the agent, as it would end a program.
      this.exit({ code: 1, stderr: crashText(error) });
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
        this.#reportRunning();
        const origin = { kind: 'task-notification', producer: 'session-task', runId: report.runId };
        await this.#play({ origin: { origin } }, report.step.report ?? `Noted: ${report.step.description}`);
      }
      if (this.#hasExited) return;
    }
    this.#working = false;
    this.reportIdle();
    this.#exitIfDone();
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
    if (isCompaction(message)) {
      const [summary] = toSteps(this.#nextScript(message));
      const pieces = summary?.step === 'text' ? summary.pieces : '';
      writeCompaction(
        session,
        typeof pieces === 'string' ? pieces : pieces.filter((piece) => typeof piece === 'string').join(''),
        message.uuid,
      );
      session.lifecycle(message, 'completed');
      return;
    }
    const turn = await this.#play({ message }, undefined);
    if (!this.#hasExited) session.lifecycle(message, turn.interrupted ? 'cancelled' : 'completed');
  }

  async #play(cause: TurnCause, script: TurnScript | undefined): Promise<Turn> {
    this.#stopping = false;
    const turn = new Turn(
      {
        ...this.#parts,
        exit: (fields) => this.exit(fields),
        continuation: () => this.#nextScript(cause.message),
      },
      cause,
    );
    this.#turn = turn;
    await this.#greeted;
    await turn.play(script ?? this.#nextScript(cause.message));
    this.#turn = undefined;
    this.#lastIsError = turn.isError;
    return turn;
  }

  #nextScript(message: ReceivedFrame | undefined): TurnScript {
    const { turns = [] } = this.#parts.script;
    const index = this.#turns;
    this.#turns += 1;
    if (typeof turns === 'function') {
      const turn = turns(message ?? { type: 'user' }, index);
      checkTurn(turn, `turns(message, ${index})`);
      return turn;
    }
    return (
      turns[index] ??
      reply.apiError(null, `The script of the agent has ${turns.length} turns, and this is turn ${index + 1}.`)
    );
  }

  /** Recordings 32 and 33: the exit code follows from the last result. Recording h-shell-eof: a shell keeps the agent. */
  #exitIfDone(): void {
    if (!this.#inputEnded || this.#working || this.#hasExited || this.#parts.tasks.size > 0) return;
    this.exit({ code: this.#lastIsError ? 1 : 0 });
  }
}
