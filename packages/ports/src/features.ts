import type { RequestHandlers, UntypedHandlers } from './agent-requests.ts';
import type { AskFact, CacheFact } from './conversation-events.ts';
import type { ControlAnswer, ControlSubtype } from './control-requests.ts';
import type { TranscriptMirrorFrame } from './frames.ts';
import type { InitializeResult } from './introduction.ts';
import type { InitializeFields, LaunchOptions } from './launch.ts';
import type { AgentMessage } from './vocabulary/messages.ts';
import type { ObservedFact } from './observer.ts';
import type { Channel } from './protocol.ts';
import type { TurnFailure } from './turn-outcome.ts';
import type { Warning } from './warnings.ts';

/**
 * What a conversation can do beyond messages: answer what the agent asks, set something up in it, follow its messages.
 * One object serves one conversation and has only the members that it needs.
 */
export interface SessionFeature {
  /** For the author of the program, in messages about this feature. */
  readonly name: string;
  /** How the agent must be started for it. Read before the launch is made. */
  readonly launch?: Partial<LaunchOptions> | undefined;
  /** Fields of `initialize`. The agent must take them: where `initialize` is refused or late, the conversation ends. */
  readonly initialize?: InitializeFields | undefined;
  /**
   * Called with the answer to `initialize`, before anything else is sent. What it throws ends the conversation: with it
   * a feature that must hold keeps an agent from working that would not follow it.
   */
  readonly checkInitialize?: ((answer: InitializeResult) => void) | undefined;
  /** Answers what the agent asks. As long as there are any, the agent's input is kept open for them, unless {@link mayBeAsked} returns `false`. */
  readonly handlers?: RequestHandlers | undefined;
  /** The same for subtypes without a type. */
  readonly untypedHandlers?: UntypedHandlers | undefined;
  /**
   * Whether the agent may ask anything of its handlers now. For a feature with handlers that are of use only at times:
   * meanwhile the agent's input is not kept open for them. Called often.
   */
  mayBeAsked?(): boolean;
  /** Completes what the agent answers to a request of the program. */
  readonly amend?: Amendments | undefined;
  /** Called once, before the agent can have asked anything. */
  attach?(control: FeatureControl): void;
  /** Called once, with the tools that the agent lists when its first turn begins, before any reader gets that message. What it throws is warned of. */
  toolsListed?(tools: readonly string[]): void;
  /**
   * Called with each message when it arrives, before any reader gets it, and with the length of its line. What it throws
   * is warned of. Where it returns a promise, this message and all behind it are delivered once that has settled. After
   * the agent's exit that is waited for within a bound.
   */
  receive?(message: AgentMessage | TranscriptMirrorFrame, bytes?: number): Promise<void> | void;
  /** Called before a message is sent. With a failure nothing is sent, and its turn ends with that. */
  refuse?(): TurnFailure | undefined;
  /** Called with each message but the pieces of the stream, when it is delivered. It holds nothing back. What it throws is warned of. */
  note?(message: AgentMessage): void;
  /**
   * Called once, when the agent has exited and everything it sent was received. Where it returns a promise, the exit is
   * delivered once that has settled: what has to be finished, and may still be reported, is finished here. Called only
   * where there is a `receive`.
   */
  exiting?(): Promise<void> | void;
  /** How long after the agent's exit promises are waited for at most. Default: five seconds. */
  readonly exitingMs?: number | undefined;
  /** Called once, when the agent has exited or could not be started. The conversation waits for it, within a bound. */
  close?(): Promise<void>;
}

/** By subtype of the request. */
export type Amendments = {
  readonly [Subtype in ControlSubtype]?: ((answer: ControlAnswer<Subtype>) => ControlAnswer<Subtype>) | undefined;
};

/** How a feature reaches the agent, and observers of the conversation. */
export interface FeatureControl extends Pick<Channel, 'request' | 'requestUntyped'> {
  /**
   * Delivers a message of the feature to the program: behind what was delivered, and before what is held back.
   * Never throws; after the end it is dropped. Every conversation has it; a double of this may leave it out.
   */
  deliver?(message: AgentMessage): void;
  /** Whether readers have so much unread that more should wait. Every conversation has it; a double of this may leave it out. */
  isBehind?(): boolean;
  /**
   * Ends the agent at once, and leaves its turn unfinished, as `suspend()` of the conversation does; turns and readers get the error.
   * After the end it is dropped. Every conversation has it; a double of this may leave it out.
   */
  suspend?(error: Error): void;
  /**
   * Stops the turn that runs, whose outcome is then this failure, unless it ends before. The conversation continues. Never throws.
   * Every conversation has it; a double of this may leave it out.
   */
  failTurn?(failure: TurnFailure): void;
  /** Adds to the events of the conversation. Never throws; after the end it is dropped. Every conversation has it; a double of this may leave it out. */
  append?(fact: AskFact | CacheFact): void;
  /** Reports to the observer, if there is one. Never throws. */
  observe(fact: ObservedFact): void;
  /** Warns the author of the program. Never throws. */
  warn(warning: Warning): void;
}

/** Whether the agent may ask anything of one of these features now. */
export function mayBeAsked(features: readonly SessionFeature[]): boolean {
  return features.some(
    (feature) => (hasAny(feature.handlers) || hasAny(feature.untypedHandlers)) && (feature.mayBeAsked?.() ?? true),
  );
}

function hasAny(handlers: object | undefined): boolean {
  return handlers !== undefined && Object.values(handlers).some((handler) => handler !== undefined);
}

/** The options of a launch, with what features need of it. */
export function withFeatures(options: LaunchOptions, features: readonly SessionFeature[]): LaunchOptions {
  return features.reduce((all, { launch }) => ({ ...all, ...launch }), options);
}
