import { Deferred } from '@hexagent/async';
import type { OutboxEntry, OutboxState, TurnOutcome } from '@hexagent/ports';

/** How a message ended. */
export type MessageEnd =
  /** The agent has finished it. Without an `outcome`, that was before this process sent it, or in another process. */
  | { readonly state: 'completed'; readonly outcome: TurnOutcome | undefined }
  /** It will not be run, or not be run again. `reason` is set where the agent refused it. */
  | { readonly state: 'cancelled'; readonly reason?: unknown };

/** How a message that was passed to a host ended. */
export interface Receipt {
  readonly uuid: string;
  /** `duplicate`: the session had a message of this uuid before, and nothing was stored. */
  readonly kind: 'accepted' | 'duplicate';
  /** Its state when this was made. */
  readonly state: OutboxState;
  /** Whether it was stored for another process, which drives the session and runs it. What happens in it is observed there. */
  readonly isElsewhere: boolean;
  /**
   * Resolves when the message is finished. Rejects with `HOST_CLOSED` or `LEASE_LOST` when it continues elsewhere; never an
   * unhandled rejection.
   */
  readonly done: Promise<MessageEnd>;
}

const encoder = new TextEncoder();

/** How much room a message takes while it is unfinished. */
export function bytesOf(input: OutboxEntry['input']): number {
  return encoder.encode(JSON.stringify(input)).byteLength;
}

export function isOpenState(state: OutboxState): state is OutboxEntry['state'] {
  return state !== 'completed' && state !== 'cancelled';
}

/** An unfinished message. */
export class HostedMessage {
  readonly uuid: string;
  readonly input: OutboxEntry['input'];
  readonly bytes: number;
  readonly end: Deferred<MessageEnd> = new Deferred<MessageEnd>().handled();
  state: OutboxEntry['state'];
  /** Whether it was read from the store: another process may wait for its end. */
  readonly isFound: boolean;
  /** Whether the agent that runs now was given it. */
  isWritten = false;
  /** Whether an earlier agent may have been given it. */
  isResent: boolean;
  /**
   * Whether its turn may have begun. An agent of this process reports each turn that it begins before it dies; whether the
   * agent of another process began one cannot be determined.
   */
  mayHaveBegun: boolean;
  /** Whether the program took it back. */
  isWithdrawn = false;
  /** How a turn ended that the agent continued with by itself, for this message. */
  continued: TurnOutcome | undefined;

  constructor(
    { uuid, input, state }: Pick<OutboxEntry, 'uuid' | 'input' | 'state'>,
    { isFound }: { readonly isFound: boolean },
  ) {
    this.uuid = uuid;
    this.input = input;
    this.bytes = bytesOf(input);
    this.state = state;
    this.isFound = isFound;
    this.isResent = state !== 'queued';
    this.mayHaveBegun = this.isResent;
  }
}

/** How a message ended that is stored as finished, without what its agent said. */
export function endOf(state: OutboxState): MessageEnd {
  return state === 'cancelled' ? { state } : { state: 'completed', outcome: undefined };
}
