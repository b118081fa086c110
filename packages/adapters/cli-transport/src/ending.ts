import { spawn } from 'node:child_process';
import { sent, type ProcessTree } from './process-tree.ts';

/** When each stage begins, in milliseconds since `close()`: an idle agent leaves within 30 of its input's end. */
const stages = { terminate: 400, kill: 1800, giveUp: 2400 } as const;
/** How long what an agent left behind may take to end by itself, once it was asked to. */
const graceOfLeftovers = 300;
const pollMs = 50;

/** Ends one agent and all that it started. */
export interface Ending {
  /** Ends it in stages, of which `endInput` is the first. Resolves when everything is gone; never rejects. */
  end(endInput: () => void, exited: Promise<void>): Promise<void>;
  /**
   * It has left by itself: what it left in its group is ended too, and after it was killed, when it could not put its
   * things in order, all that can be found. Never rejects.
   */
  sweep(left: { readonly killed: boolean }): Promise<void>;
  /** This process ends and cannot wait. */
  now(): void;
}

export class PosixEnding implements Ending {
  readonly #tree: ProcessTree;
  readonly #orphans: () => Promise<ReadonlySet<number>>;

  constructor(tree: ProcessTree, orphans: () => Promise<ReadonlySet<number>>) {
    this.#tree = tree;
    this.#orphans = orphans;
  }

  async end(endInput: () => void, exited: Promise<void>): Promise<void> {
    const began = performance.now();
    const until = (stage: number): Promise<boolean> => settles(exited, began + stage - performance.now());
    // Before it leaves, since afterwards nobody knows whose children its children were.
    await this.#tree.glance();
    endInput();
    if (!(await until(stages.terminate))) {
      await this.#tree.look();
      // The agent ends its tools itself when asked politely; they would not survive being asked twice.
      this.#tree.signalRoot('SIGTERM');
      if (!(await until(stages.kill))) {
        await this.#tree.look();
        this.#tree.signal('SIGKILL');
        await until(stages.giveUp);
      }
    }
    await this.#sweep(began + stages.kill, began + stages.giveUp);
  }

  async sweep({ killed }: { readonly killed: boolean }): Promise<void> {
    if (killed) await this.#tree.adopt(await this.#orphans());
    const now = performance.now();
    await this.#sweep(now + graceOfLeftovers, now + stages.giveUp);
  }

  now(): void {
    this.#tree.signalRoot('SIGTERM');
  }

  async #sweep(latestKill: number, giveUp: number): Promise<void> {
    if (!this.#tree.mayLive || (await this.#tree.look()) === 0) return;
    this.#tree.signal('SIGTERM');
    const kill = Math.min(performance.now() + graceOfLeftovers, latestKill);
    while (performance.now() < giveUp) {
      await new Promise((resolve) => setTimeout(resolve, pollMs));
      if ((await this.#tree.look()) === 0) return;
      if (performance.now() >= kill) this.#tree.signal('SIGKILL');
    }
  }
}

/** Windows has no signals, but a tool that ends a process with its descendants. */
export class WindowsEnding implements Ending {
  readonly #pid: number;

  constructor(pid: number) {
    this.#pid = pid;
  }

  async end(endInput: () => void, exited: Promise<void>): Promise<void> {
    endInput();
    if (await settles(exited, stages.terminate)) return;
    this.now();
    await settles(exited, stages.giveUp - stages.terminate);
  }

  /** Whose children its children were is known to nobody now; the input's end has reached them too. */
  async sweep(): Promise<void> {}

  now(): void {
    const taskkill = spawn('taskkill', ['/T', '/F', '/PID', String(this.#pid)], { stdio: 'ignore', windowsHide: true });
    // Without it, at least the agent itself is ended.
    taskkill.on('error', () => sent(this.#pid, 'SIGKILL'));
    taskkill.unref();
  }
}

/** `true` when it settled within so many milliseconds. */
function settles(promise: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve(false), Math.max(ms, 0));
    void promise.then(() => {
      clearTimeout(late);
      resolve(true);
    });
  });
}
