import type { AgentMessage, Channel, ConversationOptions } from '@hexagent/ports';
import { mayCloseInput } from './may-close-input.ts';
import { TaskBoard } from './tasks.ts';

/** Decides when the agent's input may be closed, and stops the background shells that would keep the agent running. */
export class InputGate {
  readonly #channel: Channel;
  readonly #mayBeAsked: () => boolean;
  readonly #backgroundTasks: 'stop' | 'wait';
  readonly #waitsForRequests: boolean;
  readonly #tasks = new TaskBoard();
  readonly #stopping = new Set<string>();
  #sessionState: string | undefined;

  constructor(
    channel: Channel,
    mayBeAsked: () => boolean,
    { backgroundTasks = 'stop', openRequests = 'wait' }: Pick<ConversationOptions, 'backgroundTasks' | 'openRequests'>,
  ) {
    this.#channel = channel;
    this.#mayBeAsked = mayBeAsked;
    this.#backgroundTasks = backgroundTasks;
    this.#waitsForRequests = openRequests === 'wait';
  }

  /** Tracks tasks and the session state. Returns whether the frame may have changed a decision. */
  note(message: AgentMessage): boolean {
    if (message.type !== 'system') return message.type === 'result' || message.type === 'command_lifecycle';
    if (message.subtype !== 'session_state_changed') return this.#tasks.note(message);
    this.#sessionState = message.state;
    return true;
  }

  /** `true` when no turn and no task runs, and the agent, if it reports its state, is idle. */
  isIdle(openTurns: number): boolean {
    const quiet = this.#sessionState === undefined || this.#sessionState === 'idle';
    return quiet && openTurns === 0 && this.#tasks.shells.size + this.#tasks.delegated === 0;
  }

  /** Whether the input may be closed now, once nothing more is sent. Stops the shells that alone keep it open. */
  mayClose(openTurns: number): boolean {
    const state = {
      promptEnded: true,
      openTurns,
      callbacks: this.#mayBeAsked(),
      requestsInFlight: this.#waitsForRequests ? this.#channel.openRequests + this.#channel.openAnswers : 0,
      delegated: this.#tasks.delegated,
      backgroundTasks: this.#backgroundTasks,
      sessionState: this.#sessionState,
    };
    if (mayCloseInput({ ...state, shells: this.#tasks.shells.size })) return true;
    if (this.#backgroundTasks === 'stop' && mayCloseInput({ ...state, shells: 0 })) this.#stopShells();
    return false;
  }

  close(): void {
    // The agent may have exited already, which `exited` reports.
    this.#channel.end().catch(() => {});
  }

  /** Stops each shell once. Its notification leads to the next decision. */
  #stopShells(): void {
    for (const task_id of this.#tasks.shells) {
      if (this.#stopping.has(task_id)) continue;
      this.#stopping.add(task_id);
      // The agent refuses to stop a shell that has ended.
      this.#channel.request('stop_task', { task_id }).catch(() => {});
    }
  }
}
