import type { AgentMessage, Channel } from '@hexagent/ports';
import type { LiveTurn } from './live-turn.ts';

/**
 * Keeps the pieces of the text from all readers but those of the turns that asked for them, and reports to the agent whether the running
 * turn is one of these. In another one the agent joins them: the program parses a line for many pieces, and delivers none.
 */
export class WithheldPieces {
  readonly #channel: () => Pick<Channel, 'request'>;
  #areJoined = false;

  constructor(channel: () => Pick<Channel, 'request'>) {
    this.#channel = channel;
  }

  /** Whether it is a piece, which the reader of its turn has got if it asked for them. */
  take(
    message: AgentMessage,
    { line, bytes }: { readonly line: string; readonly bytes: number },
    owner: Pick<LiveTurn, 'hasPieces' | 'queue'> | undefined,
  ): boolean {
    if (!isOfPieces(message)) return false;
    const areRead = owner?.hasPieces === true;
    if (areRead) owner.queue.push(message, bytes, line);
    if (areRead === this.#areJoined) this.#join(!areRead);
    return true;
  }

  /** An agent that does not have the request sends each piece at once. */
  #join(areJoined: boolean): void {
    this.#areJoined = areJoined;
    this.#channel()
      .request('set_has_subscribers', { has_subscribers: !areJoined })
      .catch(() => {});
  }
}

/** Whether the agent sends it only because it sends its text in pieces. */
function isOfPieces(message: AgentMessage): boolean {
  return (
    message.type === 'stream_event' ||
    (message.type === 'system' && message.subtype === 'status' && message.status === 'requesting')
  );
}
