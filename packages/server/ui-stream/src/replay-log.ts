import { DeltaRun, type DeltaChunk } from './delta-run.ts';
import type { UiChunk } from './ui-chunk.ts';

/** A chunk of the log. */
export interface LogEntry {
  /** `undefined` once something newer has taken its place. */
  chunk: UiChunk | undefined;
  /** The deltas that follow it. */
  readonly begins?: DeltaRun;
  /** The deltas that come before it. */
  readonly ends?: DeltaRun;
}

/** How many entries may be empty before the log is rewritten without them. */
const mostEmpty = 256;

/** The chunks of a turn without their deltas, and the deltas by the part that they belong to. */
export class ReplayLog {
  entries: LogEntry[] = [];
  /** How it ended; unset while chunks may follow. */
  ending: { readonly error?: unknown } | undefined;
  readonly #runs = new Map<string, DeltaRun>();
  /** The newest entry of what is replaced, such as the progress of a call. */
  readonly #newest = new Map<string, LogEntry>();
  /** The first entry of each data part, which decides about its place in the message. */
  readonly #first = new Map<string, LogEntry>();
  #empty = 0;

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

  /** Rewrites a log that is mostly empty; readers keep their place in it. */
  compact(readers: Iterable<{ index: number }>): void {
    if (this.#empty < mostEmpty || this.#empty * 2 < this.entries.length) return;
    const kept: LogEntry[] = [];
    const places = this.entries.map((entry) => {
      const place = kept.length;
      if (entry.chunk !== undefined) kept.push(entry);
      return place;
    });
    for (const reader of readers) reader.index = places[reader.index] ?? kept.length;
    this.entries = kept;
    this.#empty = 0;
  }

  #append(chunk: DeltaChunk): void {
    const run = this.#runs.get('toolCallId' in chunk ? chunk.toolCallId : chunk.id);
    if (run === undefined) this.entries.push({ chunk });
    else run.append(chunk);
  }

  #begin(chunk: UiChunk, part: string): void {
    const begins = new DeltaRun();
    this.#runs.set(part, begins);
    this.entries.push({ chunk, begins });
  }

  #finish(chunk: UiChunk, part: string): void {
    const ends = this.#runs.get(part);
    this.#runs.delete(part);
    ends?.join();
    this.entries.push(ends === undefined ? { chunk } : { chunk, ends });
  }

  #output(chunk: UiChunk, call: string, isPreliminary: boolean): void {
    const key = `output:${call}`;
    this.#drop(this.#newest.get(key));
    this.#newest.delete(key);
    this.#finish(chunk, call);
    const entry = this.entries.at(-1);
    if (isPreliminary && entry !== undefined) this.#newest.set(key, entry);
  }

  #other(chunk: UiChunk): void {
    const entry: LogEntry = { chunk };
    this.entries.push(entry);
    if (!('data' in chunk)) return;
    const key = `${chunk.type}:${chunk.id ?? ''}`;
    if (chunk.transient === true) return this.#replace(key, entry);
    if (chunk.id === undefined) return;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, entry);
    else {
      // A reader that has not reached the first one gets the newest in its place; the others get it here.
      first.chunk = chunk;
      this.#replace(key, entry);
    }
  }

  #replace(key: string, entry: LogEntry): void {
    this.#drop(this.#newest.get(key));
    this.#newest.set(key, entry);
  }

  #drop(entry: LogEntry | undefined): void {
    if (entry?.chunk === undefined) return;
    entry.chunk = undefined;
    this.#empty += 1;
  }
}
