import { DeltaRun, type DeltaChunk } from './delta-run.ts';
import type { UiChunk } from './ui-chunk.ts';

/** A chunk of the log. */
export interface LogEntry {
  chunk: UiChunk;
  /** The deltas that follow it. */
  readonly begins?: DeltaRun;
  /** The deltas that come before it. */
  readonly ends?: DeltaRun;
}

/** The chunks of a turn without their deltas, and the deltas by the part that they belong to. */
export class ReplayLog {
  /** Entries by their numbers, which only grow. A replaced entry is removed. */
  readonly entries: Map<number, LogEntry> = new Map();
  /** The number of the next entry. */
  end = 0;
  /** How it ended; unset while chunks may follow. */
  ending: { readonly error?: unknown } | undefined;
  readonly #runs = new Map<string, DeltaRun>();
  /** The number of the newest entry of what is replaced, such as the progress of a call. */
  readonly #newest = new Map<string, number>();
  /** The first entry of each data part, which decides about its place in the message. */
  readonly #first = new Map<string, LogEntry>();

  add(chunk: UiChunk): void {
    switch (chunk.type) {
      case 'text-delta':
      case 'reasoning-delta':
      case 'tool-input-delta':
        return this.#append(chunk);
      case 'text-start':
      case 'reasoning-start':
      case 'tool-input-start':
        return this.#begin(chunk, 'toolCallId' in chunk ? chunk.toolCallId : chunk.id);
      case 'text-end':
      case 'reasoning-end':
        return this.#finish(chunk, chunk.id);
      case 'tool-output-available':
        return this.#output(chunk, chunk.toolCallId, chunk.preliminary === true);
      case 'tool-input-available':
      case 'tool-output-denied':
      case 'tool-output-error':
        return this.#output(chunk, chunk.toolCallId, false);
      default:
        return this.#other(chunk);
    }
  }

  #push(entry: LogEntry): void {
    this.entries.set(this.end, entry);
    this.end += 1;
  }

  #append(chunk: DeltaChunk): void {
    const run = this.#runs.get('toolCallId' in chunk ? chunk.toolCallId : chunk.id);
    if (run === undefined) this.#push({ chunk });
    else run.append(chunk);
  }

  #begin(chunk: UiChunk, part: string): void {
    const begins = new DeltaRun();
    this.#runs.set(part, begins);
    this.#push({ chunk, begins });
  }

  #finish(chunk: UiChunk, part: string): void {
    const ends = this.#runs.get(part);
    this.#runs.delete(part);
    this.#push(ends === undefined ? { chunk } : { chunk, ends });
  }

  #output(chunk: UiChunk, call: string, isPreliminary: boolean): void {
    const key = `output:${call}`;
    this.#finish(chunk, call);
    this.#replace(key);
    if (!isPreliminary) this.#newest.delete(key);
  }

  #other(chunk: UiChunk): void {
    const entry: LogEntry = { chunk };
    this.#push(entry);
    if (!('data' in chunk)) return;
    const key = `${chunk.type}:${chunk.id ?? ''}`;
    if (chunk.transient === true) return this.#replace(key);
    if (chunk.id === undefined) return;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, entry);
    else {
      // A reader that has not reached the first one gets the newest in its place; the others get it here.
      first.chunk = chunk;
      this.#replace(key);
    }
  }

  /** The last entry takes the place of the newest one with this key. */
  #replace(key: string): void {
    const before = this.#newest.get(key);
    if (before !== undefined) this.entries.delete(before);
    this.#newest.set(key, this.end - 1);
  }
}
