import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { monotonicMs } from './ledger-line.ts';

/** A time in which a process did not get on: the machine was too busy, or the process was stopped. */
export interface Stall {
  readonly name: string;
  readonly from: number;
  readonly until: number;
}

const everyMs = 100;
const longestMs = 500;

/** Writes down when the process of this name did not get on. Keeps no process alive. Returns what ends it. */
export function watchStalls(file: string, name: string): () => void {
  let from = monotonicMs();
  const look = (): void => {
    const until = monotonicMs();
    if (until - from > everyMs + longestMs) appendFileSync(file, `${JSON.stringify({ name, from, until })}\n`);
    from = until;
  };
  const timer = setInterval(look, everyMs).unref();
  return () => clearInterval(timer);
}

export function readStalls(file: string): readonly Stall[] {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
  return lines.filter((line) => line.endsWith('}')).map((line) => JSON.parse(line) as Stall);
}
