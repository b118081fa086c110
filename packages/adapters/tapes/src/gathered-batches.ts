/** Lines of one read, and when that was. */
export interface Batch {
  readonly at: number;
  readonly lines: readonly string[];
}

/** Makes the text of several batches of one agent. */
export type ToText = (batches: readonly Batch[]) => string;

/** How many characters may be gathered. */
const mostGathered = 64 * 1024;

/**
 * Batches that are made into text together, after a moment or when there are many: for each alone, that takes ten times as
 * long. What is gathered when the process exits is not lost.
 */
export class GatheredBatches {
  readonly #gatherMs: number;
  readonly #onDue: () => void;
  /** In order. Batches of one agent that follow each other are together. */
  #groups: { readonly toText: ToText; readonly batches: Batch[] }[] = [];
  #length = 0;
  #timer: NodeJS.Timeout | undefined;

  /** @param onDue has to take what is gathered. */
  constructor(gatherMs: number, onDue: () => void) {
    this.#gatherMs = gatherMs;
    this.#onDue = onDue;
  }

  add(batch: Batch, toText: ToText): void {
    const last = this.#groups.at(-1);
    if (last?.toText === toText) last.batches.push(batch);
    else this.#groups.push({ toText, batches: [batch] });
    for (const { length } of batch.lines) this.#length += length;
    if (this.#length >= mostGathered || this.#gatherMs === 0) this.#onDue();
    else this.#startTimer();
  }

  /** The text of all that was gathered. */
  take(): string {
    const groups = this.#groups;
    if (groups.length === 0) return '';
    this.#stopTimer();
    this.#groups = [];
    this.#length = 0;
    return groups.map(({ toText, batches }) => toText(batches)).join('');
  }

  #startTimer(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setTimeout(this.#onDue, this.#gatherMs);
    this.#timer.unref();
    atExit(this.#onDue, true);
  }

  #stopTimer(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    atExit(this.#onDue, false);
  }
}

const pending = new Set<() => void>();
const writePending = (): void => {
  for (const write of pending) write();
};

/** One listener for all tapes of the process, and none while nothing is gathered. */
function atExit(write: () => void, isGathering: boolean): void {
  if (isGathering && pending.size === 0) process.on('exit', writePending);
  if (isGathering) pending.add(write);
  else pending.delete(write);
  if (pending.size === 0) process.off('exit', writePending);
}
