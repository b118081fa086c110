import type { Gate } from '../../loopback/happenings.ts';
import type { Leaving, ReceivedFrame } from '../wire.ts';

/** A text, or its pieces: every string is one delta; at a gate the model falls silent until it opens. */
export type SaidPieces = string | readonly (string | Gate)[];

export interface TextStep {
  readonly step: 'text' | 'thinking';
  readonly pieces: SaidPieces;
}

export interface ToolOptions {
  /** The CLI's rules leave this call open: the host is asked, or, without a permission prompt, it is denied. */
  readonly asks?: boolean | undefined;
  /** What the tool gives back; a function sees the input the tool ran with. Default `ok`. */
  readonly result?: string | ((input: Readonly<Record<string, unknown>>) => string) | undefined;
  readonly isError?: boolean | undefined;
  /** The tool runs until this opens. */
  readonly until?: Gate | undefined;
  /** Changes nothing, so that neighbours of its kind run at the same time. */
  readonly readOnly?: boolean | undefined;
  readonly id?: string | undefined;
}

export interface ToolStep extends ToolOptions {
  readonly step: 'tool';
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface BackgroundOptions {
  /** What a delegated task is told; its description, unless given. */
  readonly prompt?: string | undefined;
  /** It runs until this opens; without it, until it is stopped. */
  readonly until?: Gate | undefined;
  readonly fails?: boolean | undefined;
  /** What the model says in the turn that the end of the task begins. Default: a text. */
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
  readonly leaving: Leaving;
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

/** Answers a control request of the host's: the payload, or nothing for a bare success; what it throws is the error. */
export type Control = (
  fields: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined | Promise<Readonly<Record<string, unknown>> | undefined>;

export interface AgentScript {
  readonly turns?: Turns | undefined;
  /** The agent reads nothing before this opens, as while it starts. */
  readonly start?: Gate | undefined;
  /** Fields that `initialize` is answered with, besides the usual ones. */
  readonly initialize?: Readonly<Record<string, unknown>> | undefined;
  /** Default: `--resume`, `--session-id`, else an id of its own for each connection. */
  readonly sessionId?: string | undefined;
  /** `false`: says nothing of its state, like an older CLI. */
  readonly stateFrames?: boolean | undefined;
  /** By subtype, before what the agent knows itself. */
  readonly controls?: Readonly<Record<string, Control>> | undefined;
}

/** The steps of a turn, for reading like a script. */
export const reply = {
  text: (pieces: SaidPieces): TextStep => ({ step: 'text', pieces }),
  thinking: (pieces: SaidPieces): TextStep => ({ step: 'thinking', pieces }),
  /** Calls that follow each other are parallel calls of one answer of the model. */
  tool: (name: string, input: Readonly<Record<string, unknown>> = {}, options: ToolOptions = {}): ToolStep => ({
    ...options,
    step: 'tool',
    name,
    input,
  }),
  /** A shell that goes on in the background. */
  shell: (command: string, options: BackgroundOptions = {}): BackgroundStep => ({
    ...options,
    step: 'background',
    kind: 'local_bash',
    description: command,
  }),
  /** A delegated task that goes on in the background. */
  subagent: (description: string, options: BackgroundOptions = {}): BackgroundStep => ({
    ...options,
    step: 'background',
    kind: 'local_agent',
    description,
  }),
  /** The model takes its time. */
  hold: (gate: Gate): HoldStep => ({ step: 'hold', gate }),
  /** Frames as they are. */
  frames: (...frames: readonly object[]): FramesStep => ({ step: 'frames', frames }),
  /** A control request of any kind; the turn waits for its answer. */
  ask: (request: AgentRequest): AskStep => ({ step: 'ask', request }),
  /** The turn ends here, with a result that has these fields instead of the usual ones. */
  result: (result: Readonly<Record<string, unknown>>): EndStep => ({ step: 'end', result }),
  /** The API refused, after all retries; the turn ends here. */
  apiError: (status: number | null, message: string): ApiErrorStep => ({ step: 'api_error', status, message }),
  /** The agent dies here. */
  exit: (leaving: Leaving = {}): ExitStep => ({ step: 'exit', leaving }),
} as const;

export function toSteps(script: TurnScript): readonly Step[] {
  const steps: readonly (string | Step)[] = typeof script === 'string' || 'step' in script ? [script] : script;
  return steps.map((step) => (typeof step === 'string' ? reply.text(step) : step));
}
