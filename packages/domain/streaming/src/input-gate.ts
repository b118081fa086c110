import type { AgentMessage, Channel, ConversationOptions } from '@hexagent/ports';
import { mayCloseInput } from './may-close-input.ts';
import { TaskBoard } from './tasks.ts';

/** Closes the agent's input once nothing can need it any more, and stops the background shells that would keep the agent. */
export class InputGate {
  readonly #channel: Channel;
  readonly #callbacks: boolean;
  readonly #backgroundTasks: 'stop' | 'wait';
  readonly #waitsForRequests: boolean;
  readonly #tasks = new TaskBoard();
  readonly #stopping = new Set<string>();
  #sessionState: string | undefined;

  constructor(
    channel: Channel,
    callbacks: boolean,
    { backgroundTasks = 'stop', openRequests = 'wait' }: Pick<ConversationOptions, 'backgroundTasks' | 'openRequests'>,
  ) {
    this.#channel = channel;
    this.#callbacks = callbacks;
    this.#backgroundTasks = backgroundTasks;
    this.#waitsForRequests = openRequests === 'wait';
  }

  /** Learns from a frame; returns whether it may have changed anything. */
  note(message: AgentMessage): boolean {
    if (message.type !== 'system') return message.type === 'result' || message.type === 'command_lifecycle';
    if (message.subtype !== 'session_state_changed') return this.#tasks.note(message);
    this.#sessionState = message.state;
    return true;
  }

  /** `true` when nothing runs: no turn, no task, and the agent says so where it can. */
  isIdle(openTurns: number): boolean {
    const quiet = this.#sessionState === undefined || this.#sessionState === 'idle';
    return quiet && openTurns === 0 && this.#tasks.shells.size + this.#tasks.delegated === 0;
  }

  /** Whether the input may be closed now, once nothing more is sent. Stops the shells that alone keep it open. */
  mayClose(openTurns: number): boolean {
    const state = {
      promptEnded: true,
      openTurns,
      callbacks: this.#callbacks,
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
    // The agent may be gone already; how it went is told by its exit.
    this.#channel.end().catch(() => {});
  }

  /** Each shell is stopped once; its notification brings us back here. */
  #stopShells(): void {
    for (const task_id of this.#tasks.shells) {
      if (this.#stopping.has(task_id)) continue;
      this.#stopping.add(task_id);
      // A shell that ended by itself meanwhile cannot be stopped, and need not be.
      this.#channel.request('stop_task', { task_id }).catch(() => {});
    }
  }
}
