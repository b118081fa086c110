import { settledWithin } from '@hexagent/async';
import type { Launch } from '@hexagent/ports';
import type { ProcessEntry } from './process-entry.ts';
import type { ProcessTree, Scope } from './process-tree.ts';
import { systemClock } from './system-clock.ts';

/** When each stage begins, in milliseconds since the input ended: an idle program leaves within 30. */
export const stages = { terminate: 400, kill: 1800, giveUp: 2400 } as const;
/** How long what a program left behind may take to end by itself, once it was asked to. */
const graceOfLeftovers = 300;
const pollMs = 50;
/** How long a program may take to exit once it was killed. */
export const killMs: number = stages.giveUp - stages.kill;
/** The interval of the scans for a process that may run without a limit. */
const waitMs = 500;

/**
 * Ends one program and all that it started. Nothing here rejects; what could not be ended is returned. What is optional needs
 * the descendants, which cannot be found everywhere.
 */
export interface Ending {
  /** The program's input is about to end: what it runs at this moment can still be cut off by `close()`. */
  inputEnds?(): void;
  /** Ends it in stages, of which `endInput` is the first. They count from `began`, by the system's clock. */
  end(endInput: () => void, exited: Promise<void>, began?: number): Promise<readonly number[]>;
  /** Kills it, so that it cannot act on its end, then ends all that it started. */
  kill(exited: Promise<void>): Promise<readonly number[]>;
  /**
   * It has exited: what it left behind is ended, waited for or left, as `Launch.leftovers` defines. One that did not exit
   * in order was killed or crashed in the middle of something.
   */
  sweep?(exit: { readonly isOrderly: boolean }): Promise<readonly number[]>;
  /** Called when the program has exited and `close()` was called: a sweep stops waiting. */
  sweepCutOff?(): Promise<readonly number[]>;
  /** This process ends and cannot wait. */
  now?(): void;
}

export class PosixEnding implements Ending {
  readonly #tree: ProcessTree;
  readonly #leftovers: NonNullable<Launch['leftovers']>;
  /** The processes that are ended together with a program that is ended early. */
  readonly #scope: Scope;
  #running: readonly ProcessEntry[] = [];
  #isHurried = false;
  #wake = (): void => {};

  constructor(tree: ProcessTree, leftovers: Launch['leftovers'] = 'end') {
    this.#tree = tree;
    this.#leftovers = leftovers;
    this.#scope = leftovers === 'leave' ? 'cut off' : 'all';
  }

  inputEnds(): void {
    this.#running = this.#tree.descendantsNow();
  }

  async end(
    endInput: () => void,
    exited: Promise<void>,
    began: number = systemClock.now(),
  ): Promise<readonly number[]> {
    const until = untilStage(exited, began);
    // Before it exits, since its children lose their parent then.
    this.#tree.adopt(this.#running);
    await this.#tree.scanDescendants();
    endInput();
    if (!(await until(stages.terminate))) {
      await this.#tree.scanDescendants();
      // At SIGTERM the program ends its tools itself; a second signal would kill them.
      this.#tree.signalRoot('SIGTERM');
      if (!(await until(stages.kill))) {
        // What descends from it is read at once. To find what does not, all processes are read, which takes seconds where
        // there are thousands, and the program would run on until then.
        await this.#tree.scanDescendants();
        this.#tree.signal('SIGKILL');
        await until(stages.giveUp);
        await this.#tree.scan(this.#scope);
        this.#tree.signal('SIGKILL');
      }
    }
    return await this.#endAll(this.#scope, began + stages.kill, began + stages.giveUp);
  }

  async kill(exited: Promise<void>): Promise<readonly number[]> {
    // Before it is gone, since its children lose their parent then.
    this.#tree.adopt(this.#running);
    await this.#tree.scanDescendants();
    this.#tree.signalRoot('SIGKILL');
    await settledWithin(killMs, exited, systemClock);
    return await this.#endFrom(systemClock.now(), this.#scope);
  }

  async sweep({ isOrderly }: { readonly isOrderly: boolean }): Promise<readonly number[]> {
    if (!isOrderly || this.#leftovers === 'end') {
      this.#tree.adopt(this.#running);
      return await this.#endFrom(systemClock.now(), this.#scope);
    }
    if (this.#leftovers === 'leave') return await this.#endFrom(systemClock.now(), 'known');
    // What the program itself ran beside its tools, such as a server that did not notice, would be waited for in vain.
    await this.#endFrom(systemClock.now(), 'cut off');
    while (!this.#isHurried && (await this.#tree.scan('all')) > 0) await this.#pause();
    return await this.#endFrom(systemClock.now(), 'all');
  }

  async sweepCutOff(): Promise<readonly number[]> {
    this.#isHurried = true;
    this.#wake();
    this.#tree.adopt(this.#running);
    return await this.#endFrom(systemClock.now(), 'known');
  }

  now(): void {
    // A process that is starting another one may be missed once.
    for (let rounds = 0; rounds < 5; rounds += 1) {
      const alive = this.#tree.scanNow(this.#scope);
      if (alive === undefined) return this.#tree.signalRoot('SIGTERM');
      if (alive === 0) return;
      this.#tree.signal('SIGKILL');
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #endFrom(now: number, scope: Scope): Promise<readonly number[]> {
    return this.#endAll(scope, now + graceOfLeftovers, now + stages.giveUp);
  }

  async #endAll(scope: Scope, latestKill: number, giveUp: number): Promise<readonly number[]> {
    if ((await this.#tree.scan(scope)) === 0) return [];
    this.#tree.signal('SIGTERM');
    const kill = Math.min(systemClock.now() + graceOfLeftovers, latestKill);
    while (systemClock.now() < giveUp) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      if ((await this.#tree.scan(scope)) === 0) return [];
      if (systemClock.now() >= kill) this.#tree.signal('SIGKILL');
    }
    return this.#tree.alive;
  }
}

/** Resolves when the program has exited, or a stage begins, with whether it has exited. */
export const untilStage =
  (exited: Promise<void>, began: number) =>
  (stage: number): Promise<boolean> =>
    settledWithin(Math.max(began + stage - systemClock.now(), 0), exited, systemClock);
