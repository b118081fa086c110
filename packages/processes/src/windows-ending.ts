import { spawn } from 'node:child_process';
import { settledWithin } from '@hexagent/async';
import { readHostEnvironment } from './read-host-environment.ts';
import { systemTool } from './system-tools.ts';
import { killMs, stages, untilStage, type Ending } from './ending.ts';
import { trySignal } from './process-tree.ts';
import { systemClock } from './system-clock.ts';

/**
 * Windows has no signals, but a tool that ends a process with its descendants. What has lost its parent cannot be found
 * there, so the descendants of a program that has exited are not found.
 */
export class WindowsEnding implements Ending {
  readonly #pid: number;
  readonly #taskkill: string;

  /** @param taskkill the path of the tool; a name alone would be searched for in the working directory first */
  constructor(
    pid: number,
    taskkill: string = systemTool('taskkill', readHostEnvironment({ env: {}, platform: 'win32' })),
  ) {
    this.#pid = pid;
    this.#taskkill = taskkill;
  }

  async end(
    endInput: () => void,
    exited: Promise<void>,
    began: number = systemClock.now(),
  ): Promise<readonly number[]> {
    const until = untilStage(exited, began);
    endInput();
    if (await until(stages.terminate)) return [];
    return await this.#kill(() => until(stages.giveUp));
  }

  async kill(exited: Promise<void>): Promise<readonly number[]> {
    return await this.#kill(() => settledWithin(killMs, exited, systemClock));
  }

  async #kill(hasExited: () => Promise<boolean>): Promise<readonly number[]> {
    this.now();
    return (await hasExited()) ? [] : [this.#pid];
  }

  now(): void {
    const taskkill = spawn(this.#taskkill, ['/T', '/F', '/PID', String(this.#pid)], {
      stdio: 'ignore',
      windowsHide: true,
    });
    // Without it, at least the program itself is ended.
    taskkill.on('error', () => trySignal(this.#pid, 'SIGKILL'));
    taskkill.unref();
  }
}
