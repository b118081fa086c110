import type { ChildProcess } from 'node:child_process';
import type { Writable } from 'node:stream';
import { heartbeatScript } from './heartbeat-script.ts';
import { startShell } from './shell-beside.ts';
import { systemClock } from './system-clock.ts';

/** Of all heartbeats together: a timer of one that was stopped must not find its number with the next. */
let beats = 0;

/**
 * Reports to a watchdog that this process is not frozen. The timer for that is in a shell of its own, since not every shell
 * can read with a limit of time; it shares the input of the watchdog with this process.
 */
export class Heartbeat {
  /** Of the watchdog. */
  readonly #input: Writable;
  /** After how many seconds without a beat the programs are ended. */
  readonly #seconds: number;
  #timer: ChildProcess | undefined;
  #lastAt = systemClock.now();
  #cancel: () => void = () => {};

  constructor(input: Writable, seconds: number) {
    this.#input = input;
    this.#seconds = seconds;
    this.#beat();
  }

  stop(): void {
    this.#cancel();
    this.#timer?.stdin?.end();
    this.#timer = undefined;
  }

  #beat(): void {
    const now = systemClock.now();
    // Where the shells were frozen too, as in a machine that was paused, it must not matter which of all wakes up first.
    if (now - this.#lastAt > this.#seconds * 1000) return void this.#input.write(`late ${beats}\n`);
    this.#lastAt = now;
    beats += 1;
    this.#timer ??= this.#startTimer();
    this.#input.write(`beat ${beats}\n`);
    this.#timer?.stdin?.write(`${beats}\n`);
    this.#cancel = systemClock.after(this.#seconds * 250, () => this.#beat());
  }

  /** One that is killed is started again with the next beat. */
  #startTimer(): ChildProcess | undefined {
    const timer = startShell(heartbeatScript, { AFTER: String(this.#seconds) }, this.#input);
    timer?.on('exit', () => {
      if (this.#timer === timer) this.#timer = undefined;
    });
    return timer;
  }
}
