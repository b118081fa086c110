import type { ProcessEntry, ProcessTable } from './process-table.ts';

/**
 * An agent's process and all that it started, as far as it was seen: the agent gives each tool a session of its own,
 * and a process that has lost its parent can be found no more. So look before the parent ends.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #table: ProcessTable;
  /** When each process began, so that a number given out again is left alone. */
  readonly #seen = new Map<number, string>();
  #alive: readonly number[];
  #rootLives = true;
  #groupLives = true;

  constructor(root: number, table: ProcessTable) {
    this.#root = root;
    this.#table = table;
    this.#alive = [root];
  }

  /** The first process has ended, and its number may be given to another one. */
  rootEnded(): void {
    this.#rootLives = false;
    this.#groupLives = sent(-this.#root, 0);
  }

  /** Whether a look could find anything. Costs no look. */
  get mayLive(): boolean {
    return this.#rootLives || this.#groupLives || [...this.#seen.keys()].some((pid) => pid !== this.#root);
  }

  /** A quick look while the first process lives: at what it started, and what that started. */
  async glance(): Promise<void> {
    this.#learn(await this.#table.family(this.#root));
  }

  /** Takes in what is known from elsewhere to belong to the tree. */
  async adopt(pids: ReadonlySet<number>): Promise<void> {
    if (pids.size === 0) return;
    for (const { pid, began } of await this.#table.all()) if (pids.has(pid)) this.#seen.set(pid, began);
  }

  /** Learns what belongs to the tree now; returns how much of it is alive. */
  async look(): Promise<number> {
    this.#alive = this.#learn(await this.#table.all());
    return this.#alive.length;
  }

  /** Which of the entries belong to the tree. */
  #learn(entries: readonly ProcessEntry[]): readonly number[] {
    const members = new Set<number>();
    for (const entry of entries) if (this.#isKnown(entry)) members.add(entry.pid);
    // A child may stand before its parent in the table, so it is gone through until nothing is new.
    for (let size = -1; size !== members.size;) {
      size = members.size;
      for (const { pid, parent } of entries) if (members.has(parent)) members.add(pid);
    }
    for (const { pid, began } of entries) if (members.has(pid)) this.#seen.set(pid, began);
    return [...members];
  }

  #isKnown({ pid, group, began }: ProcessEntry): boolean {
    if (this.#rootLives && pid === this.#root) return true;
    return (this.#groupLives && group === this.#root) || this.#seen.get(pid) === began;
  }

  /** To everything that the last look found alive, leaves included. */
  signal(signal: NodeJS.Signals): void {
    if (this.#groupLives) sent(-this.#root, signal);
    for (const pid of this.#alive) if (this.#rootLives || pid !== this.#root) sent(pid, signal);
  }

  /** To the first process and its group; what else it started is its own to end. */
  signalRoot(signal: NodeJS.Signals): void {
    if (this.#groupLives) sent(-this.#root, signal);
  }
}

/** `false` when there is nobody to receive it. */
export function sent(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false; // it has ended, or it is somebody else's by now
  }
}
