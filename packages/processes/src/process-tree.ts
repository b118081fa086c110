import type { MarkedProcess, ProcessEntry } from './process-entry.ts';
import type { ProcessTable } from './process-table.ts';

/**
 * What a scan includes, beside the descendants, the group, and what was found before.
 * - `all`: everything that carries the program's mark.
 * - `cut off`: of that, only what was running when the program ended. What a finished tool put into the background has
 *   neither the program above it nor a living shell that the program started.
 * - `known`: nothing else.
 */
export type Scope = 'all' | 'cut off' | 'known';

/** The unit in which Linux reports the start time of a process. */
const ticksPerSecond = 100;
/** Between the start of a process and the moment in which it is measured; a number is not given out again so soon. */
const graceSeconds = 1;

export interface ProcessTreeOptions {
  /** The process that was started. */
  readonly root: number;
  /** The id in its mark. */
  readonly id: string;
  readonly table: ProcessTable;
  /** The process has ended and its group is empty: the number may be another's from now on. */
  readonly onNumberFreed: () => void;
}

/**
 * A program's process and all that it started. The program starts each tool in a new session, and a process that has lost its
 * parent is not a descendant any more: it is found because it was seen before, or by the mark in its environment.
 */
export class ProcessTree {
  readonly #root: number;
  readonly #id: string;
  readonly #table: ProcessTable;
  readonly #onNumberFreed: () => void;
  /** When the first process began; `undefined` where that cannot be read at once. */
  readonly rootBegan: string | undefined;
  readonly #uptimeAtStart: number | undefined;
  /** The latest moment at which the first process can have started another one, as `began` writes it. */
  #latestBegin = Infinity;
  /** When each process began, so that a number given out again is left alone. */
  readonly #seen = new Map<number, string>();
  #alive: readonly number[];
  #isRootAlive = true;
  #isGroupAlive = true;
  #shell: string | undefined;

  constructor({ root, id, table, onNumberFreed }: ProcessTreeOptions) {
    this.#root = root;
    this.#id = id;
    this.#table = table;
    this.#onNumberFreed = onNumberFreed;
    this.rootBegan = table.now?.entry(root)?.began;
    this.#uptimeAtStart = table.now?.uptime();
    this.#alive = [root];
  }

  /** The processes that the last scan found. */
  get alive(): readonly number[] {
    return this.#alive;
  }

  /** How the program's own environment differs from that of what a shell started. To be called once its program runs. */
  rememberShell(): string | undefined {
    this.#shell = this.#table.now?.shell(this.#root);
    return this.#shell;
  }

  /** The first process has ended, and its number may be given to another one. */
  rootEnded(): void {
    this.#isRootAlive = false;
    // The uptime also counts while the machine sleeps.
    const ranSeconds = Number(this.#table.now?.uptime()) - Number(this.#uptimeAtStart) + graceSeconds;
    this.#latestBegin = Number(this.rootBegan) + ranSeconds * ticksPerSecond;
    this.#reviewGroup();
  }

  /** The descendants of the first process; empty where the system does not list them at once. */
  descendantsNow(): readonly ProcessEntry[] {
    return this.#table.now?.descendants(this.#root) ?? [];
  }

  /** Adds processes that belong to the tree. */
  adopt(entries: readonly ProcessEntry[]): void {
    for (const { pid, began } of entries) this.#seen.set(pid, began);
  }

  /** Takes in what the first process runs, while it lives. */
  async scanDescendants(): Promise<void> {
    this.#set(this.#take(await this.#table.family(this.#root), [], 'known'));
  }

  /** Learns what belongs to the tree now; returns how much of it is alive. */
  async scan(scope: Scope): Promise<number> {
    if (!this.#mayKnownBeAlive() && (scope === 'known' || !(await this.#table.marked()).some(this.#isOurs))) {
      return this.#set([]);
    }
    const entries = await this.#table.all();
    // Read last: of a process that starts itself anew all the time, the newest is signalled right after it was seen.
    const marked = scope === 'known' ? [] : await this.#table.marked();
    return this.#set(this.#take(entries, marked, scope));
  }

  /** The same at once; `undefined` where that cannot be done. */
  scanNow(scope: Scope): number | undefined {
    const { now } = this.#table;
    if (now === undefined) return undefined;
    return this.#set(this.#take(now.all(), scope === 'known' ? [] : now.marked(), scope));
  }

  /** Signals every process that the last scan found, and the group. */
  signal(signal: NodeJS.Signals): void {
    this.signalRoot(signal);
    for (const pid of this.#alive) if (this.#isRootAlive || pid !== this.#root) trySignal(pid, signal);
  }

  /** Signals the first process and its group. The process ends what else it has started. */
  signalRoot(signal: NodeJS.Signals): void {
    if (this.#isGroupAlive) trySignal(-this.#root, signal);
  }

  /** Whether anything that was found before may still run. If not, the list of all processes is not read. */
  #mayKnownBeAlive(): boolean {
    if (this.#isRootAlive) return true;
    this.#reviewGroup();
    return (
      this.#isGroupAlive || [...this.#seen.keys()].some((pid) => pid !== this.#root && trySignal(pid, 0) !== 'gone')
    );
  }

  #reviewGroup(): void {
    if (!this.#isGroupAlive || trySignal(-this.#root, 0) !== 'gone') return;
    this.#isGroupAlive = false;
    this.#onNumberFreed();
  }

  #set(alive: readonly number[]): number {
    this.#alive = alive;
    return alive.length;
  }

  /** Takes in what belongs to the tree, and returns it. */
  #take(entries: readonly ProcessEntry[], marked: readonly MarkedProcess[], scope: Scope): readonly number[] {
    const ours = new Map(marked.filter(this.#isOurs).map((process) => [process.pid, process]));
    const all = [...entries.filter(({ pid }) => !ours.has(pid)), ...ours.values()];
    const members = new Set<number>();
    for (const entry of all) if (this.#isKnown(entry)) members.add(entry.pid);
    for (const [pid, process] of ours) if (scope === 'all' || this.#isCutOff(process, ours)) members.add(pid);
    // A child may stand before its parent in the table, so it is read again until nothing is new.
    for (let size = -1; size !== members.size;) {
      size = members.size;
      for (const { pid, parent } of all) if (members.has(parent)) members.add(pid);
    }
    this.adopt(all.filter(({ pid }) => members.has(pid)));
    return [...members];
  }

  #isKnown({ pid, group, began }: ProcessEntry): boolean {
    if (this.#isRootAlive && pid === this.#root) return true;
    return (this.#isGroupAlive && group === this.#root) || this.#seen.get(pid) === began;
  }

  readonly #isOurs = ({ origin, began }: MarkedProcess): boolean => {
    if (origin.marks.length > 0) return origin.marks.includes(this.#id);
    // Another program may have had the same number before ours, or may have been given it since.
    const moment = Number(began);
    return origin.startedBy === this.#root && moment >= Number(this.rootBegan) && moment <= this.#latestBegin;
  };

  /** While the program lives, what it runs descends from it. */
  #isCutOff({ session }: MarkedProcess, ours: ReadonlyMap<number, MarkedProcess>): boolean {
    if (this.#isRootAlive) return false;
    // A program that died before its program ran has finished no tool.
    if (session === this.#root || this.#shell === undefined) return true;
    return ours.get(session)?.origin.shell === this.#shell;
  }
}

/** `refused`: it runs, and belongs to a user whom this process may not signal. */
export function trySignal(pid: number, signal: NodeJS.Signals | 0): 'sent' | 'gone' | 'refused' {
  try {
    process.kill(pid, signal);
    return 'sent';
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM' ? 'refused' : 'gone';
  }
}
