import { hintOf, type AnyMessage, type FailedTurn, type Session, type SessionOptions } from '@hexagent/sdk';
import type { Terminal } from './terminal.ts';

/** One scene: a title, and a program of its own. */
export interface Scene {
  readonly title: string;
  play(demo: Demo): Promise<void>;
}

/** The arguments of every scene. */
export interface Demo {
  readonly terminal: Terminal;
  /** Where the agent works, its environment, and a signal that aborts when the person leaves. */
  readonly place: { readonly cwd: string } & Required<Pick<SessionOptions, 'env' | 'signal'>>;
  /** A text in the environment of every process that the agent starts, by which they are counted. */
  readonly marker: string;
  /** Sends a message, shows what the agent writes, and returns its last text. */
  ask(session: Session, prompt: string): Promise<string>;
  /** Prints a fact and whether it holds. One that does not makes the demo fail. */
  check(fact: string, holds: boolean): void;
}

/** Ends the demo: without a model there is nothing to show. */
export class TurnFailed extends Error {
  constructor({ message, hint }: FailedTurn) {
    super([message, hint?.remedy].filter(Boolean).join('\n'));
  }
}

/** A line about a request that the agent makes again since the service failed or was not reached, else an empty text. */
export function retryNotice(message: AnyMessage): string {
  const hint = message.type === 'system' ? hintOf(message) : undefined;
  return hint ? `[the service failed, and the agent tries again. ${hint.remedy}]` : '';
}
