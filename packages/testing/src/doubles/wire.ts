import { type Exit, type Launch } from '@hexagent/ports';

/** A line the SDK wrote, read as JSON. Which fields are there depends on its `type`. */
export interface ReceivedFrame {
  readonly type: string;
  readonly uuid?: string;
  readonly priority?: string;
  readonly message?: { readonly role: string; readonly content: unknown };
  readonly request_id?: string;
  readonly request?: { readonly subtype: string; readonly [field: string]: unknown };
  readonly response?: {
    readonly subtype: string;
    /** Whatever the agent gave its request. */
    readonly request_id?: unknown;
    readonly response?: Readonly<Record<string, unknown>>;
    readonly error?: string;
    readonly error_code?: string;
  };
  readonly [field: string]: unknown;
}

/** Which received frame is meant: its `type`, the `subtype` of a control request, or a test of the frame. */
export type Wanted = string | ((frame: ReceivedFrame) => boolean);

/** How an agent leaves. What is not said: code 0, no signal, nothing on its error stream. */
export type Leaving = Partial<Omit<Exit, 'closed'>>;

/** The agent's end of a connection, before there is a scene to play on it. */
export interface AgentSide {
  /** What it was launched with; `undefined` until somebody connects. */
  readonly launch: Launch | undefined;
  /** Writes frames, one line each, which the SDK receives as one batch. */
  write(...frames: readonly object[]): void;
  /** Writes lines as they are, well formed or not, as one batch. */
  writeLines(lines: readonly string[]): void;
  /** Leaves. What was written before is still delivered. A second call does nothing. */
  exit(leaving?: Leaving): void;
  /** Called for each line the SDK writes, in order, while it is being written. Lines that came before are told at once. */
  onLine(listener: (line: string) => void): void;
  /** Called when the SDK ends its side of the connection; at once if it has. */
  onInputEnd(listener: () => void): void;
}

/** A launch with nothing in it but what every session has. */
export function plainLaunch(changes: Partial<Launch> = {}): Launch {
  return { args: [], env: {}, initialize: {}, awaitInitialize: false, ...changes };
}
