import { createInterface } from 'node:readline';
import type { Launch } from '@hexagent/ports';
import type { AgentSide, ExitFields } from '../doubles/wire.ts';

/** This process, as the agent that an SDK has started: its standard streams are the wire. */
export function stdioAgent(): AgentSide {
  const launch: Launch = {
    args: process.argv.slice(2),
    env: { ...process.env } as Launch['env'],
    cwd: process.cwd(),
    initialize: {},
  };
  const lines: string[] = [];
  const lineListeners: ((line: string) => void)[] = [];
  const endListeners: (() => void)[] = [];
  let hasEnded = false;
  const input = createInterface({ input: process.stdin, crlfDelay: Infinity });
  input.on('line', (line) => {
    lines.push(line);
    for (const listener of lineListeners) listener(line);
  });
  input.on('close', () => {
    hasEnded = true;
    for (const listener of endListeners) listener();
  });
  const writeLines = (written: readonly string[]): void =>
    void process.stdout.write(written.map((line) => `${line}\n`).join(''));
  return {
    launch,
    writeLines,
    write: (...frames) => writeLines(frames.map((frame) => JSON.stringify(frame))),
    exit,
    onLine(listener) {
      for (const line of lines) listener(line);
      lineListeners.push(listener);
    },
    onInputEnd(listener) {
      if (hasEnded) listener();
      endListeners.push(listener);
    },
  };
}

/** Exits once everything was written. */
function exit({ code = 0, signal, stderr = '', unterminated = '' }: ExitFields = {}): void {
  process.stdout.write(unterminated, () => {
    process.stderr.write(stderr, () => {
      if (signal) process.kill(process.pid, signal);
      else process.exit(code ?? 1);
    });
  });
}
