import type { ReceivedFrame } from '../wire.ts';

const ranks: Readonly<Record<string, number>> = { now: 0, next: 1, later: 2 };

/** Messages that wait for their turn. Recording 22-streaming-multi-turn-queue-priority. */
export class MessageQueue {
  #messages: ReceivedFrame[] = [];

  get uuids(): string[] {
    return this.#messages.flatMap(({ uuid }) => uuid ?? []);
  }

  add(message: ReceivedFrame): void {
    this.#messages.push(message);
  }

  /** The most urgent one; of equals, the first. */
  take(): ReceivedFrame | undefined {
    const [first] = this.#messages.toSorted((one, other) => rankOf(one) - rankOf(other));
    this.#messages = this.#messages.filter((message) => message !== first);
    return first;
  }

  remove(uuid: string): ReceivedFrame | undefined {
    const found = this.#messages.find((message) => message.uuid === uuid);
    this.#messages = this.#messages.filter((message) => message !== found);
    return found;
  }

  clear(): ReceivedFrame[] {
    return this.#messages.splice(0);
  }
}

function rankOf({ priority = 'next' }: ReceivedFrame): number {
  return ranks[priority] ?? 1;
}
