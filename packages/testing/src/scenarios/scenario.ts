import type { ReplyOptions, StopReason } from '../loopback/turns.ts';

/** A place in a text, or an answer, where the model waits until the turn is stopped. */
export interface WaitPart {
  readonly part: 'wait';
}

/** A text of the model, in one piece or in several. */
export interface TextPart {
  readonly part: 'text' | 'thinking';
  readonly pieces: readonly (string | WaitPart)[];
}

export interface CallOptions {
  /** The CLI asks the host about this call. Only a scripted agent reads it, and what follows: the real CLI decides itself. */
  readonly asks?: boolean | undefined;
  /** What the tool returns. Default: `ok`. */
  readonly result?: string | undefined;
  readonly isError?: boolean | undefined;
  /** The tool changes nothing, so such calls of one answer run at the same time. */
  readonly readOnly?: boolean | undefined;
  /** Of a call that has a subagent work: what the model answers as that subagent, which is recognized by its prompt. */
  readonly subagent?: string | undefined;
}

/** The model calls a tool. Calls of one answer are parallel. */
export interface CallPart extends CallOptions {
  readonly part: 'call';
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The model starts a shell, or a subagent, in the background. */
export interface BackgroundPart {
  readonly part: 'background';
  /** What the model answers as the subagent. */
  readonly answer?: string | undefined;
  readonly kind: 'local_bash' | 'local_agent';
  /** The command of a shell; the description and the prompt of a subagent. */
  readonly what: string;
  /** Whether it ends once the turn has ended, and what the model says of it then. Otherwise it runs until it is stopped. */
  readonly report?: string | undefined;
}

export interface RefusalOptions {
  /** How many requests of the CLI are refused. Default 1. */
  readonly times?: number | undefined;
  /** The text with which the CLI gives up, and ends the turn. Default: it tries again, and is answered. */
  readonly ends?: string | undefined;
  /** How many of its further attempts the CLI reports. Default: all. */
  readonly reported?: number | undefined;
}

/** The API refuses requests of the CLI. */
export interface RefusalPart extends RefusalOptions {
  readonly part: 'refusal';
  readonly status: number;
  readonly message: string;
}

/** What the CLI writes by itself at this place: frames, or the fields of the result that ends the turn. */
export interface AgentPart {
  readonly part: 'frames' | 'result';
  readonly frames: readonly Readonly<Record<string, unknown>>[];
}

export type Part = TextPart | CallPart | BackgroundPart;

/** An answer of the model to one request of the CLI. */
export interface AnswerPart {
  readonly part: 'answer';
  readonly parts: readonly Part[];
  readonly stopReason?: StopReason | undefined;
  readonly usage?: ReplyOptions['usage'];
}

/** What happens in a turn, in order: a text, a part or a list of parts is one answer of the model. */
export type Happening = string | Part | readonly Part[] | AnswerPart | WaitPart | RefusalPart | AgentPart;

/** What the user says, and what happens then. */
export interface ScenarioTurn {
  readonly says: string;
  readonly happens: readonly Happening[];
}

/** Why the depths do not agree, about lines that contain this text: what is seen has them apart. */
export interface Departure {
  readonly about: string;
  readonly why: string;
  /** They agree at times, as where two things happen at once. */
  readonly isRace?: boolean | undefined;
}

/** A session that continues the first one. */
export interface Continuation {
  readonly how: 'resume' | 'fork' | 'continue';
  readonly turns: readonly ScenarioTurn[];
}

/** One conversation, to be had with an agent of any depth. */
export interface Scenario<Options extends object = object, Session = never> {
  readonly turns: readonly ScenarioTurn[];
  readonly continues?: Continuation | undefined;
  /** Options of the session, beside those that lead to the agent. */
  readonly options?: Options | (() => Options) | undefined;
  /** What the host decides about what it is asked, in order. `null` leaves a request open. */
  readonly decides?: readonly unknown[] | undefined;
  /** What the program does. Default: sends what the user says, each message after the turn before it. */
  readonly program?: ((given: Given<Session>) => Promise<unknown>) | undefined;
  /** Texts that must be among what is seen, so that a scenario in which nothing happens does not pass. */
  readonly shows: readonly string[];
  readonly departs?: readonly Departure[] | undefined;
  /** Environment of the agent. */
  readonly env?: Readonly<Record<string, string>> | undefined;
}

/** What a program of a scenario has. */
export interface Given<Session> {
  readonly session: Session;
  readonly says: readonly string[];
  /** Resolves once the session has received, or the agent has asked, something whose line contains this text. */
  until(text: string): Promise<void>;
}
