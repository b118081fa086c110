import type { Gate } from '../../loopback/stream-effects.ts';
import type { ExitFields, ReceivedFrame } from '../wire.ts';

/** A text, or its pieces: every string is one delta; at a gate the model waits until it opens. */
export type TextPieces = string | readonly (string | Gate)[];

export interface TextStep {
  readonly step: 'text' | 'thinking';
  readonly pieces: TextPieces;
}

export interface ToolOptions {
  /** The CLI asks the host about this call, or denies it without a permission prompt. */
  readonly asks?: boolean | undefined;
  /** The result of the tool; a function receives the input that the tool ran with. Default `ok`. */
  readonly result?: string | ((input: Readonly<Record<string, unknown>>) => string) | undefined;
  readonly isError?: boolean | undefined;
  /** The tool runs until this opens. */
  readonly until?: Gate | undefined;
  /** The tool changes nothing, so consecutive calls of this kind run at the same time. */
  readonly readOnly?: boolean | undefined;
  readonly id?: string | undefined;
}

export interface ToolStep extends ToolOptions {
  readonly step: 'tool';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface BackgroundOptions {
  /** The prompt of a delegated task. Default: its description. */
  readonly prompt?: string | undefined;
  /** It runs until this opens; without it, until it is stopped. */
  readonly until?: Gate | undefined;
  readonly fails?: boolean | undefined;
  /** The model's text in the turn that the end of the task starts. */
  readonly report?: TurnScript | undefined;
}

export interface BackgroundStep extends BackgroundOptions {
  readonly step: 'background';
  readonly kind: 'local_bash' | 'local_agent';
  readonly description: string;
}

export interface HoldStep {
  readonly step: 'hold';
  readonly gate: Gate;
}

export interface FramesStep {
  readonly step: 'frames';
  readonly frames: readonly object[];
}

export interface AskStep {
  readonly step: 'ask';
  readonly request: AgentRequest;
}

/** A control request of the agent's. */
export interface AgentRequest {
  readonly subtype: string;
  readonly [field: string]: unknown;
}

export interface EndStep {
  readonly step: 'end';
  readonly result: Readonly<Record<string, unknown>>;
}

export interface ApiErrorStep {
  readonly step: 'api_error';
  readonly status: number | null;
  readonly message: string;
}

export interface ExitStep {
  readonly step: 'exit';
  readonly fields: ExitFields;
}

/** What happens in a turn, in order. */
export type Step =
  | TextStep
  | ToolStep
  | BackgroundStep
  | HoldStep
  | FramesStep
  | AskStep
  | ApiErrorStep
  | EndStep
  | ExitStep;

/** The steps of one turn; a string is a text. */
export type TurnScript = string | Step | readonly (string | Step)[];

/** The turns in order, or a turn for each message. */
export type Turns = readonly TurnScript[] | ((message: ReceivedFrame, index: number) => TurnScript);

/** Answers a control request of the host: returns the payload, or nothing for an empty success, or throws the error. */
export type Control = (
  fields: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined | Promise<Readonly<Record<string, unknown>> | undefined>;

export interface AgentScript {
  readonly turns?: Turns | undefined;
  /** The agent reads nothing before this opens, like a CLI that is starting. */
  readonly start?: Gate | undefined;
  /** Fields that `initialize` is answered with, besides the usual ones. */
  readonly initialize?: Readonly<Record<string, unknown>> | undefined;
  /** Default: `--resume`, `--session-id`, else an id of its own for each connection. */
  readonly sessionId?: string | undefined;
  /** `false`: does not report its state, like an older CLI. */
  readonly stateFrames?: boolean | undefined;
  /** Answers by subtype, which replace those of the agent. */
  readonly controls?: Readonly<Record<string, Control>> | undefined;
}
