import { describe, expect, it } from 'vitest';
import type { Inbox } from '@hexagent/async';
import { Flow } from '../src/flow.ts';
import { MessageQueue } from '../src/message-queue.ts';
import { randomBelow, stillClock } from './support.ts';

const keepBytes = 8;

/** With marks of zero a channel is paused exactly while something counts as unread. */
function watched(): { flow: Flow; isPaused: () => boolean } {
  let paused = false;
  const channel = {
    openRequests: 0,
    pause: () => void (paused = true),
    resume: () => void (paused = false),
    giveUpRequests: () => expect.unreachable(),
  };
  const flow = new Flow({ mayBeAsked: () => false, softMarkBytes: 0, hardMarkBytes: 0, clock: stillClock });
  flow.attach(channel);
  return { flow, isPaused: () => paused };
}

/** What may be done to a queue, and by whom: at most one reader, who may leave. */
class Story {
  readonly box: MessageQueue<string>;
  #inbox: Inbox<string> | undefined;
  #optional: boolean;
  #unread = 0;
  #over = false;
  #discarded = false;

  constructor(flow: Flow, optional: boolean) {
    this.#optional = optional;
    this.box = new MessageQueue<string>(flow, { optional, keepBytes });
  }

  /** What has to count as unread: what is in the box and must be read. */
  get unread(): number {
    return this.#inbox !== undefined || !this.#optional ? this.#unread : 0;
  }

  async go(step: number, size: number): Promise<void> {
    if (step < 4) this.#push(size);
    else if (step < 7) await this.#read();
    else if (step === 7) this.#open();
    else if (step === 8) this.#makeOptional();
    else if (step === 9 && size === 1) await this.#leave();
    else if (step === 10 && size === 2) this.#end(false);
    else if (step === 11 && size === 3) this.#end(true);
  }

  #push(size: number): void {
    this.box.push('x', size);
    if (this.#over || this.#discarded) return;
    this.#unread += size;
    if (this.#inbox === undefined && this.#optional && this.#unread > keepBytes) this.#discard();
  }

  #open(): void {
    this.#inbox ??= this.box.open();
  }

  async #read(): Promise<void> {
    if (this.#inbox === undefined || (this.#unread === 0 && !this.#over && !this.#discarded)) return;
    const before = this.#inbox.size;
    await this.#inbox.next().catch(() => {});
    this.#unread -= before - this.#inbox.size;
  }

  #makeOptional(): void {
    this.box.makeOptional();
    if (this.#inbox !== undefined) return;
    this.#optional = true;
    if (this.#unread > keepBytes) this.#discard();
  }

  async #leave(): Promise<void> {
    if (this.#inbox === undefined || this.#discarded) return;
    await this.#inbox.return();
    this.#over = true;
    this.#unread = 0;
  }

  #end(cut: boolean): void {
    if (cut) this.box.cut();
    else this.box.end();
    if (cut) this.#unread = 0;
    this.#over = true;
  }

  #discard(): void {
    this.#discarded = true;
    this.#unread = 0;
  }
}

describe('#40 What counts as unread', () => {
  it.each(Array.from({ length: 300 }, (_, seed) => seed))(
    'is what is in the queues and is not optional, whatever happens to them (seed %i)',
    async (seed) => {
      const next = randomBelow(seed);
      const { flow, isPaused } = watched();
      const stories = Array.from({ length: 3 }, () => new Story(flow, next(2) === 0));
      for (let count = 0; count < 100; count += 1) {
        await stories[next(3)]!.go(next(12), next(10));
        const unread = stories.reduce((sum, story) => sum + story.unread, 0);
        // Taking away all that should count and putting it back shows both a rest and a debt.
        flow.remove(unread);
        expect(isPaused()).toBe(false);
        flow.add(1);
        expect(isPaused()).toBe(true);
        flow.remove(1);
        flow.add(unread);
      }
    },
  );
});
