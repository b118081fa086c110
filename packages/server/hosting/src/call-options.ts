import type { LogPlace, SessionFacts, UserInput } from '@hexagent/ports';

export interface CreateOptions {
  /** Whose session it is. */
  readonly tenant?: string | undefined;
  /** What `open` needs to know of it. */
  readonly facts?: SessionFacts | undefined;
  /** Makes none where its first message would be refused: this one, or with `true` a short one. Default `false`. */
  readonly unlessFull?: boolean | string | UserInput | undefined;
}

export interface SendOptions {
  /** Whether a message of a session that another process drives is stored for that process. Default `true`, where the host has `signals`. */
  readonly isRouted?: boolean | undefined;
}

export interface DeleteOptions {
  /** Deletes what belongs to the session elsewhere. It must not call the host for this session. */
  readonly alsoDelete?: (() => Promise<void>) | undefined;
}

export interface ObserveOptions {
  /** Default: `now`. With `turn`, what runs is read from its beginning. */
  readonly from?: LogPlace | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DrainOptions {
  /**
   * Whether turns that run may finish (`wait`, the default) or are interrupted. One that waits for a person is left as it is,
   * and continues in the next process.
   */
  readonly turns?: 'wait' | 'interrupt' | undefined;
  /** After so many milliseconds every agent is ended. Default 30 000. */
  readonly withinMs?: number | undefined;
}
