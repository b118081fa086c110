/** What can happen to a stream besides content. Each may stand between two blocks or between two pieces of a text. */
export type Happening = Gate | Pause | Cut | StreamError;

/** Holds the stream where it stands until the test opens it, the client leaves or the loopback closes. */
export interface Gate {
  readonly type: 'gate';
  /** Resolves when a stream first stands before this gate: all that comes before it has been handed to the socket. */
  readonly reached: Promise<void>;
  /** Lets everything pass, now and later. Safe to call twice. */
  open(): void;
  /** For the player, not for tests: says that a stream stands here and waits until it may pass. */
  pass(): Promise<void>;
}

export interface Pause {
  readonly type: 'pause';
  readonly ms: number;
}

export interface Cut {
  readonly type: 'cut';
}

export interface StreamError {
  readonly type: 'error';
  readonly errorType: string;
  readonly message: string;
}

/** A place where the stream waits. Give it a promise to have that open it, or call `open()`. */
export function gate(until?: PromiseLike<unknown>): Gate {
  let open = (): void => {};
  let reach = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  // A rejected promise opens too: the test that owns it reports the failure, the stream must not hang on it.
  until?.then(open, open);
  return {
    type: 'gate',
    reached,
    open,
    pass(): Promise<void> {
      reach();
      return opened;
    },
  };
}

/** The stream stops here until the client gives up; `open()` on it lets the rest follow after all. */
export function hang(): Gate {
  return gate();
}

/** Lets real time pass. For demos and benchmarks; a test that waits for something wants a `gate()`. */
export function pause(ms: number): Pause {
  return { type: 'pause', ms };
}

/**
 * The connection breaks here: what came before is handed over, then the socket is destroyed. A client may drop what it had not
 * read by then, as the CLI does: put a `gate()` before the cut, and open it once the client has shown what it read.
 */
export function cut(): Cut {
  return { type: 'cut' };
}

/** An `error` event inside a stream that had begun well; the stream ends with it. */
export function errorEvent(errorType = 'overloaded_error', message = 'The loopback model broke off.'): StreamError {
  return { type: 'error', errorType, message };
}
