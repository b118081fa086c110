/** What a stream may contain besides content, between two blocks or between two pieces of a text. */
export type StreamEffect = Gate | Pause | Cut | StreamError;

/** Holds the stream until the test opens the gate, the client disconnects or the loopback closes. */
export interface Gate {
  readonly type: 'gate';
  /** Resolves when a stream first reaches this gate: everything before it has been written to the socket. */
  readonly reached: Promise<void>;
  /** Lets every stream pass, now and later. Safe to call twice. */
  open(): void;
  /** Called by the player of a stream: resolves `reached`, and waits until the gate is open. */
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

/** A place where the stream waits until `open()` is called, or until the promise settles. */
export function gate(until?: PromiseLike<unknown>): Gate {
  let open = (): void => {};
  let reach = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (reach = resolve));
  // A rejected promise opens the gate too: its owner reports the failure, and the stream must not hang.
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

/** Stops the stream until the client disconnects, or until `open()` is called. */
export function hang(): Gate {
  return gate();
}

/** Waits in real time. For demos and benchmarks; a test uses a `gate()`. */
export function pause(ms: number): Pause {
  return { type: 'pause', ms };
}

/**
 * Breaks the connection: everything before it is written, then the socket is destroyed. A client may drop what it has not
 * read by then, as the CLI does: put a `gate()` before the cut, and open it once the client has read the rest.
 */
export function cut(): Cut {
  return { type: 'cut' };
}

/** An `error` event inside a stream, which ends it. */
export function errorEvent(errorType = 'overloaded_error', message = 'The loopback model broke off.'): StreamError {
  return { type: 'error', errorType, message };
}
