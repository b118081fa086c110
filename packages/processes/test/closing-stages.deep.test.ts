import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { stages } from '../src/ending.ts';
import { ProcessConnection } from '../src/process-connection.ts';
import { systemClock } from '../src/system-clock.ts';

/** A connection, and when the stages of its end began. */
function connected() {
  const child = Object.assign(new EventEmitter(), {
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    unref: () => {},
  });
  const began: (number | undefined)[] = [];
  const connection = new ProcessConnection(child, {
    ending: {
      inputEnds: () => {},
      end: async (_endInput, _exited, at) => {
        began.push(at);
        child.emit('exit', 0, null);
        return [];
      },
      kill: async () => [],
      sweep: async () => [],
      sweepCutOff: async () => [],
      now: () => {},
    },
    maxLineBytes: 1000,
    stderrTailBytes: 1000,
    probesInput: false,
    onFirstOutput: () => {},
    onExit: async () => {},
    onGone: () => {},
    released: async () => {},
  });
  return { connection, began };
}

function busyFor(ms: number): void {
  const until = systemClock.now() + ms;
  while (systemClock.now() < until);
}

describe('The stages in which close() ends a program', () => {
  it('count from the end of its input, so that time to leave is given once', async () => {
    const { connection, began } = connected();
    void connection.end();
    const ended = systemClock.now();
    busyFor(20);
    await connection.close();
    expect(began).toEqual([expect.any(Number)]);
    expect(began[0]).toBeLessThanOrEqual(ended);
  });

  it('leave the time to follow SIGTERM also where the input ended long before', async () => {
    const { connection, began } = connected();
    void connection.end();
    busyFor(stages.terminate + 100);
    const closed = systemClock.now();
    await connection.close();
    expect(began[0]).toBeGreaterThanOrEqual(closed - stages.terminate);
  });
});
