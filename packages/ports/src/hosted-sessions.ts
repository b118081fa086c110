import type { ConversationEvent } from './conversation-events.ts';
import type { Exit } from './exit.ts';
import type { InterruptOutcome, Turn } from './conversations.ts';
import type { UserInput } from './vocabulary/user-input.ts';

/*
 * What a host of many sessions needs: a way to open agents, and three stores. A session has two ids: the application's
 * own, by which it is found, and the agent's, by which it is resumed.
 */

/** Opens agents for a host. `openSession` of the facade fits: `(request) => openSession({ ...request.options })`. */
export interface AgentOpener {
  /**
   * Resolves when the agent runs. Called for a session that has none, and only by the holder of its lease. What it rejects
   * with counts as a crash of the session.
   */
  (request: AgentRequest): Promise<HostedAgent>;
}

/** Which agent is to be opened. */
export interface AgentRequest {
  /** The application's id of the session. */
  readonly session: string;
  /** Whose session it is. */
  readonly tenant: string | undefined;
  /** What the application stored with the session, such as its working directory. */
  readonly facts: SessionFacts;
  /**
   * That of the lease under which the agent is opened. What is made for the agent writes under it, so that a store refuses its lines
   * after another process has taken the session. An agent that was started before, such as a spare one, has none.
   */
  readonly fence: number;
  /** To be given to the agent as they are: options of `openSession`. */
  readonly options: AgentRequestOptions;
}

export interface AgentRequestOptions {
  /** The id of a session that has not begun. */
  readonly sessionId?: string | undefined;
  /** The id of a session that has: one of the two is set. */
  readonly resume?: string | undefined;
  /** Set to continue a turn that was cut off. Otherwise the agent leaves it. */
  readonly interruptedTurn?: 'continue' | undefined;
  /** Aborts when the agent is no longer needed. */
  readonly signal: AbortSignal;
}

/** One agent of a host. A `Session` of the facade fits. */
export interface HostedAgent {
  /** The agent's latest id of the session; a command such as `/clear` changes it. */
  readonly sessionId: string | undefined;
  /** Settles once the agent has started up; rejects where it could not, as where there is no session to resume. */
  readonly ready: Promise<unknown>;
  /** Sends a message. Throws where nothing can be sent any more. */
  send(input: UserInput): Turn;
  /** Everything that happens, in one order. Called once, before anything else of it is read. */
  events(): AsyncIterable<ConversationEvent>;
  interrupt(): Promise<InterruptOutcome>;
  /** Resolves when no turn, task or queued message is alive. */
  idle(): Promise<void>;
  /** Lets everything finish, then ends the agent. */
  finish(): Promise<unknown>;
  /** Ends the agent now, and all it started. Never rejects. */
  close(): Promise<void>;
  /**
   * Ends the agent now, and leaves its turn unfinished for the agent that resumes the session. Never rejects. Without it, the
   * host calls `close()`.
   */
  suspend?(): Promise<void>;
  /** Settles once, when the agent and all it started have exited. */
  readonly exited: Promise<Exit>;
}

/** What an application stores with a session: plain JSON, returned as it was given. */
export type SessionFacts = Readonly<Record<string, unknown>>;
