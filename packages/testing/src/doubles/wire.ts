import { type Exit, type Launch } from '@hexagent/ports';

/** A line of the SDK, parsed. Its fields depend on its `type`. */
export interface ReceivedFrame {
  readonly type: string;
  readonly uuid?: string;
  readonly priority?: string;
  readonly message?: { readonly role: string; readonly content: unknown };
  readonly request_id?: string;
  readonly request?: { readonly subtype: string; readonly [field: string]: unknown };
  readonly response?: {
    readonly subtype: string;
    /** The id that the agent gave its request, of any type. */
    readonly request_id?: unknown;
    readonly response?: Readonly<Record<string, unknown>>;
    readonly error?: string;
    readonly error_code?: string;
  };
  readonly [field: string]: unknown;
}

/** Selects a received frame: by its `type`, by the `subtype` of a control request, or by a function. */
export type Wanted = string | ((frame: ReceivedFrame) => boolean);

/** How an agent exits. By default with code 0, without a signal, and with an empty stderr. */
export type ExitFields = Partial<Omit<Exit, 'closed'>>;

/** The agent's end of a connection, for a function that plays the agent. */
export interface AgentSide {
  /** Its launch; `undefined` until the SDK connects. */
  readonly launch: Launch | undefined;
  /** Writes frames, one line each, which the SDK receives as one batch. */
  write(...frames: readonly object[]): void;
  /** Writes lines unchanged, malformed ones too, as one batch. */
  writeLines(lines: readonly string[]): void;
  /** Exits. Lines that were written before are still delivered. A second call does nothing. */
  exit(fields?: ExitFields): void;
  /** Calls the listener for each line of the SDK, in order; at once for earlier lines. */
  onLine(listener: (line: string) => void): void;
  /** Calls the listener when the SDK ends its side; at once if it has. */
  onInputEnd(listener: () => void): void;
}

/** An empty launch, with these changes. */
export function plainLaunch(changes: Partial<Launch> = {}): Launch {
  return { args: [], env: {}, initialize: {}, ...changes };
}
