import { errorText } from '@hexagent/checks';
import type { AgentMessage, ResultMessage, StartupFailureReason } from '@hexagent/ports';
import type { SlashCommand } from './types/common.ts';

/** An error result after which no other turn began. */
export interface Failure {
  /** Empty when the result has none. */
  readonly text: string;
  readonly subtype: string;
  readonly reason: StartupFailureReason | undefined;
}

/** What the messages of a query have shown so far, whether or not they were read. */
export class QueryProgress {
  #failure: Failure | undefined;
  #commands: SlashCommand[] | undefined;
  #isInTurn = false;
  /** Called with each list of commands after a change. */
  onCommands: (commands: SlashCommand[]) => void = () => {};

  /** Whether a turn has begun that has no result yet. */
  get isInTurn(): boolean {
    return this.#isInTurn;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** The latest list of commands, once it has changed. */
  get commands(): SlashCommand[] | undefined {
    return this.#commands;
  }

  /** The list that comes next is the latest. */
  forgetCommands(): void {
    this.#commands = undefined;
  }

  note(message: AgentMessage): void {
    switch (message.type) {
      case 'result':
        this.#failure = message.is_error ? failureOf(message) : undefined;
        this.#isInTurn = false;
        break;
      case 'assistant':
      case 'stream_event':
      case 'user':
        this.#beginTurn();
        break;
      case 'system':
        if (message.subtype === 'init') this.#beginTurn();
        if (message.subtype === 'commands_changed' && Array.isArray(message.commands)) {
          this.#commands = message.commands as SlashCommand[]; // programs may change it, as in the official package
          this.onCommands(this.#commands);
        }
        break;
      default:
    }
  }

  #beginTurn(): void {
    this.#failure = undefined;
    this.#isInTurn = true;
  }
}

/** The text is empty for a result that lacks what its type promises. */
function failureOf(result: ResultMessage): Failure {
  const { subtype } = result;
  if (subtype === 'success') return { text: textOf(result.result), subtype, reason: undefined };
  const errors: unknown = result.errors ?? [];
  const texts = (Array.isArray(errors) ? errors : [errors]).map((error) => textOf(error).trim());
  return { text: texts.filter((text) => text !== '').join('; '), subtype, reason: result.startup_failure_reason };
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : errorText(value);
}
