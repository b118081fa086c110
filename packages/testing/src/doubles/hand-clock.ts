import { checkDelay } from '@hexagent/checks';
import type { Clock } from '@hexagent/ports';

interface Alarm {
  readonly at: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test advances it. */
export class HandClock implements Clock {
  readonly #alarms = new Set<Alarm>();
  #now: number;

  constructor(now = 0) {
    this.#now = now;
  }

  /** How many callbacks are pending. */
  get waiting(): number {
    return this.#alarms.size;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, callback: () => void): () => void {
    checkDelay('ms', ms);
    const alarm: Alarm = { at: this.#now + ms, callback };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  /** Advances the time and calls every callback that is due, in order, including those registered meanwhile. */
  advance(ms: number): void {
    checkDelay('ms', ms);
    const until = this.#now + ms;
    for (;;) {
      const next = this.#nextUntil(until);
      if (next === undefined) break;
      this.#alarms.delete(next);
      this.#now = next.at;
      next.callback();
    }
    this.#now = until;
  }

  #nextUntil(until: number): Alarm | undefined {
    let next: Alarm | undefined;
    for (const alarm of this.#alarms) {
      if (alarm.at <= until && (next === undefined || alarm.at < next.at)) next = alarm;
    }
    return next;
  }
}
