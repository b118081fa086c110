import { createReadStream } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { LiveTape } from './live-tape.ts';

/** One run that a page can read. */
export interface Source {
  readonly name: string;
  readonly isLive: boolean;
  /**
   * The lines after the first `place` ones, until the run is over or the signal aborts.
   * @throws when a tape cannot be read.
   */
  read(place: number, signal: AbortSignal): AsyncIterable<SourceEvent>;
}

export type SourceEvent =
  /** Whole lines; `next` of the run were read up to their end. */
  | { readonly kind: 'lines'; readonly text: string; readonly next: number }
  | { readonly kind: 'dropped'; readonly count: number }
  /** What this process uses. */
  | { readonly kind: 'program'; readonly text: string };

/** A stream writes thousands of lines a second: a page gets them together. */
const gatherMs = 50;

/** How old the figures of the process may be, in milliseconds. */
const programMs = 2000;

/** What this program and its agents send, as far as it is kept. */
export function liveSource(name: string, tape: LiveTape): Source {
  return {
    name,
    isLive: true,
    async *read(place, signal) {
      let next = place;
      let toldAt = -Infinity;
      while (!signal.aborted) {
        if (performance.now() - toldAt >= programMs) {
          toldAt = performance.now();
          yield { kind: 'program', text: memoryText() };
        }
        const read = tape.after(next);
        next = read.next;
        if (read.dropped > 0) yield { kind: 'dropped', count: read.dropped };
        if (read.text !== '') yield { kind: 'lines', text: read.text, next };
        await tape.changed(next, AbortSignal.any([signal, AbortSignal.timeout(programMs)]));
        // For so long the process is kept where it would exit: its last lines are those that a reader looks for.
        await wait(gatherMs);
      }
    },
  };
}

/** Read anew for each page: a tape may be as large as the disk has room for. */
export function tapeSource(name: string, file: string): Source {
  return {
    name,
    isLive: false,
    async *read(place, signal) {
      let [rest, next] = ['', 0];
      const pieces = createReadStream(file, { encoding: 'utf8', highWaterMark: 1_000_000, signal });
      for await (const piece of pieces) {
        const lines = (rest + String(piece)).split('\n');
        rest = lines.pop() ?? '';
        const wanted = lines.slice(Math.max(0, place - next));
        next += lines.length;
        if (wanted.length > 0) yield { kind: 'lines', text: `${wanted.join('\n')}\n`, next };
      }
      // A line without its ending is one that the program did not finish.
      if (rest !== '' && place <= next) yield { kind: 'lines', text: `${rest}\n`, next: next + 1 };
    },
  };
}

function memoryText(): string {
  const { rss, heapUsed } = process.memoryUsage();
  return `${megabytes(rss)} MB, heap ${megabytes(heapUsed)} MB`;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000);
