/** Something of a session changed that other processes may wait for. */
export interface SessionSignal {
  /** The application's id of the session. */
  readonly session: string;
  /**
   * - `wake`: a message was stored for the process that drives the session, or such a message is finished.
   * - `settled`: an approval was answered.
   * - `crowded`: it waits for a place of its tenant. A process that has an idle agent of the tenant ends that.
   * - `moved`: the lease was given back, and messages are left.
   */
  readonly kind: 'wake' | 'settled' | 'moved' | 'crowded';
}

/**
 * Reports to the other processes of a program that there is something to read in its stores. Best effort: a signal may be lost, come
 * late, or come twice. What depends on one is also found without it, by reading the stores again after a while.
 */
export interface SessionSignals {
  /** Never throws, and waits for nothing. */
  send(signal: SessionSignal): void;
  /**
   * Calls the listener with the signals of all processes, those that are sent here among them. What a listener throws concerns no
   * other listener. Returns a function that ends this.
   */
  subscribe(listener: (signal: SessionSignal) => void): () => void;
}
