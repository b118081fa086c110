import type { Launch } from './launch.ts';
import type { Exit } from './exit.ts';

/** Reaches one running agent. What reaching means (a process, a container, a socket) is the adapter's business. */
export interface Transport {
  /**
   * Resolves when the agent runs and can be written to.
   * @throws {SdkError} a code that names the true cause, `AGENT_NOT_FOUND` and its relatives.
   * @throws {AbortError} when `signal` aborts first; nothing is left running then.
   */
  connect(launch: Launch, options?: { readonly signal?: AbortSignal | undefined }): Promise<Connection>;
}

/** A two-way channel of lines. A line is one frame, without its ending. */
export interface Connection {
  /**
   * Lines in order, to be read once, as many at a time as one read brought: a burst costs no promise per line.
   * @throws {SdkError} after the lines before it, when nothing more can be read, such as `LINE_TOO_LONG`. The agent
   * still lives then: the reader closes the connection.
   */
  readonly frames: AsyncIterable<readonly string[]>;
  /**
   * Writes one line. Lines arrive in the order of the calls. Resolves once the line is handed over; awaiting it is how a sender yields to a slow agent.
   * @throws {SdkError} `CHANNEL_CLOSED` when the agent has exited or `end()` was called.
   */
  send(line: string): Promise<void>;
  /** Ends the agent's input. Its own lines keep arriving. Safe to call twice; never rejects. */
  end(): Promise<void>;
  /**
   * Ends the agent and everything it started, in stages, and frees what is held. Takes a few seconds at most: what cannot
   * be ended is named in the exit. Safe to call twice; never rejects. With `atOnce` the agent is killed first: it can neither take the
   * end of its input for an answer, nor write how it was ended.
   */
  close(options?: { readonly atOnce?: boolean | undefined }): Promise<void>;
  /** Stops reading; what the agent writes stays with it. */
  pause(): void;
  resume(): void;
  /**
   * How the agent left: settles exactly once, after its last line was delivered or discarded, and after what it left
   * behind was ended or left running, by `Launch.leftovers`. A program may end itself then. Never rejects.
   */
  readonly exit: Promise<Exit>;
}
