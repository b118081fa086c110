import { Deferred } from '@hexagent/async';
import type { OutboxEntry, OutboxState, TurnOutcome } from '@hexagent/ports';

/** How a message ended. */
export type MessageEnd =
  /** The agent has finished it. Without an `outcome` it was finished before this process sent it. */
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

/** An unfinished message. */
export class HostedMessage {
  readonly uuid: string;
  readonly input: OutboxEntry['input'];
  readonly bytes: number;
  readonly end: Deferred<MessageEnd> = new Deferred<MessageEnd>().handled();
  state: OutboxEntry['state'];
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

  constructor({ uuid, input, state }: Pick<OutboxEntry, 'uuid' | 'input' | 'state'>) {
    this.uuid = uuid;
    this.input = input;
    this.bytes = bytesOf(input);
    this.state = state;
    this.isResent = state !== 'queued';
    this.mayHaveBegun = this.isResent;
  }
}
