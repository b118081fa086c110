import type { Exit } from '@hexagent/ports';

/** The first line of a tape. */
export interface TapeHeader {
  /** The version of the format. */
  readonly tape: 1;
  /** When it began, as ISO 8601; the times of the entries count from here. */
  readonly started: string;
}

/** Each other line of a tape: one thing that happened between the program and one agent. */
export type TapeEntry = {
  /** Milliseconds since the start, with one decimal. */
  readonly t: number;
  /** The number of the connection, from 1. */
  readonly agent: number;
  /** What was taken out of this entry, and where. */
  readonly redacted?: readonly Redaction[] | undefined;
} & TapeEvent;

export type TapeEvent =
  /** How the agent was started. */
  | { readonly launch: TapeLaunch }
  /** A frame of the program to the agent, and of the agent to the program. `line` is its exact text. */
  | { readonly out: unknown; readonly line: string }
  | { readonly in: unknown; readonly line: string }
  /** A line that is not JSON. */
  | { readonly outLine: string }
  | { readonly inLine: string }
  /** The program ended the input of the agent, closed the connection, stopped reading, and read again. */
  | { readonly end: true }
  | { readonly close: 'in order' | 'at once' }
  | { readonly pause: true }
  | { readonly resume: true }
  /** The agent could not be started, or its lines could not be read any more. */
  | { readonly failed: TapeError }
  | { readonly broken: TapeError }
  | { readonly exit: Exit };

export interface TapeError {
  readonly name: string;
  /** The code of an `SdkError`. */
  readonly code?: string | undefined;
  readonly message: string;
}

/** A value that is not on the tape. */
export interface Redaction {
  /** From the entry down, joined with dots, such as `launch.env.MY_TOKEN`. */
  readonly path: string;
  /** Why it was taken out. */
  readonly what: 'variable' | 'header' | 'field' | 'known secret' | 'shape of a secret' | 'by the program';
}

/** A `Launch` as a tape has it: of files that are written for the agent, their contents only where the launch has them as text. */
export interface TapeLaunch {
  readonly args: readonly (string | TapeLaunchFile)[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string | undefined;
  readonly ownFolder?: string | undefined;
  readonly initialize: Readonly<Record<string, unknown>>;
  readonly configFolder?: { readonly files: readonly string[] } | undefined;
  readonly sessionId?: string | undefined;
  readonly leftovers?: string | undefined;
}

export interface TapeLaunchFile {
  readonly name: string;
  readonly content?: string | undefined;
  /** The paths in a folder. */
  readonly files?: readonly string[] | undefined;
}
