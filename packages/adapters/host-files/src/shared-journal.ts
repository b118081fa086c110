import { Deferred } from '@hexagent/async';
import { isRecord, type SdkError } from '@hexagent/ports';
import { randomUuid } from '@hexagent/processes';
import { storeFailed } from './file-errors.ts';
import type { OpenFile } from './open-file.ts';
import { Segments } from './segments.ts';

/** The state that the lines of a journal add up to. Every process that applies the same changes in the same order has the same state. */
export interface Fold<Change, Verdict> {
  /** Applies a change, if it is valid, and returns its outcome. Never throws for what another version wrote. */
  apply(change: Change): Verdict;
  /** Clears the state. */
  reset(): void;
  /** Changes that lead from an empty state to this one. */
  snapshot(): Iterable<Change>;
  /** Runs before the lines so far are replaced by the snapshot, and again if another process runs it too. */
  replacing?(): Promise<void>;
}

export interface JournalOptions<Change, Verdict> {
  readonly folder: string;
  readonly fold: Fold<Change, Verdict>;
  /** How many bytes of changes are collected at least before they are replaced by a snapshot. */
  readonly compactAfterBytes: number;
}

const seal = '{"seal":true}';

interface Appended<Change, Verdict> {
  readonly number: number;
  readonly change: Change;
  readonly verdict: Deferred<Verdict>;
}

/**
 * A file that any number of processes of one machine append lines to. The order of the lines decides which change wins,
 * and no lock: a process finds the outcome of its line by reading the file up to it. The line is on the disk before
 * the outcome is reported.
 *
 * A line that was cut off by the end of its process stands alone, since each line begins with a line break too, and is
 * skipped: its outcome was never reported.
 *
 * When a file has grown, a line seals it: lines behind the seal do not count, and are written again into the next file,
 * which begins with a snapshot. A process that finds a seal without a next file creates that file from the same lines.
 */
export class SharedJournal<Change, Verdict> {
  readonly #segments: Segments;
  readonly #fold: Fold<Change, Verdict>;
  readonly #compactAfterBytes: number;
  /** Marks the lines that this journal wrote. */
  readonly #writer: string = randomUuid();
  #appended = 0;
  #queue: Appended<Change, Verdict>[] = [];
  /** What was written and not yet read back. */
  readonly #unread = new Map<number, Appended<Change, Verdict>>();
  #file: OpenFile | undefined;
  #segment = 0;
  /** The position up to which the file was applied. */
  #offset = 0;
  #snapshotBytes = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #written: Promise<void> | undefined;
  #failure: SdkError | undefined;
  #isClosed = false;

  constructor({ folder, fold, compactAfterBytes }: JournalOptions<Change, Verdict>) {
    this.#segments = new Segments(folder);
    this.#fold = fold;
    this.#compactAfterBytes = compactAfterBytes;
  }

  /** Resolves with the outcome of the change, once it would survive a loss of power. */
  async append(change: Change): Promise<Verdict> {
    this.#check();
    const verdict = new Deferred<Verdict>().handled();
    this.#queue.push({ number: (this.#appended += 1), change, verdict });
    // Those that come while the disk is busy are written together.
    this.#written ??= this.#inTurn(() => this.#writeQueue());
    // A change that could not be written has failed by then. A compaction that failed is reported by the next call.
    await this.#written.catch(() => {});
    return await verdict.promise;
  }

  /** Resolves when everything is applied that was in the file at this moment. */
  async refresh(): Promise<void> {
    this.#check();
    await this.#inTurn(async () => {
      await this.#open();
      await this.#readOn();
    });
  }

  /** Waits for what was appended. Safe to call twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inTurn(async () => {
      await this.#file?.close();
      this.#file = undefined;
    }).catch(() => {}); // The end of a file that could not be written.
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#isClosed) throw new TypeError(`The store in ${this.#segments.folder} is closed.`);
  }

  /** Ends the store for this process. */
  #fail(error: unknown): SdkError {
    this.#failure = storeFailed(this.#segments.folder, error);
    return this.#failure;
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(task).catch((error: unknown) => {
      throw storeFailed(this.#segments.folder, error);
    });
    this.#turn = done.catch(() => {});
    return done;
  }

  async #writeQueue(): Promise<void> {
    this.#written = undefined;
    const batch = this.#queue;
    this.#queue = [];
    for (const appended of batch) this.#unread.set(appended.number, appended);
    try {
      await this.#open();
      while (this.#unread.size > 0) await this.#writeUnread();
      await this.#compact();
    } catch (error) {
      const failure = storeFailed(this.#segments.folder, error);
      for (const { verdict } of this.#unread.values()) verdict.reject(failure);
      this.#unread.clear();
      throw failure;
    }
  }

  async #writeUnread(): Promise<void> {
    const before = this.#segment;
    const lines = [...this.#unread.values()].map(({ number, change }) =>
      JSON.stringify({ w: this.#writer, n: number, c: change }),
    );
    try {
      await this.#write(lines);
    } catch (error) {
      // A full disk may have taken the first lines whole. They count, so only the others have failed.
      if (this.#failure === undefined) await this.#readOn().catch(() => {}); // the write failed first
      throw error;
    }
    await this.#readOn();
    if (this.#unread.size > 0 && this.#segment === before)
      throw new Error('What was written is not in the file: something else writes to it.');
  }

  async #write(lines: readonly string[]): Promise<void> {
    const file = this.#file;
    if (file === undefined) throw new Error('The file is closed.');
    const bytes = Buffer.from(lines.map((line) => `\n${line}\n`).join(''));
    // One write, which the system keeps whole, except where the disk is full: then the rest is another line, and both are skipped.
    const written = await attemptWrite(file, bytes);
    try {
      await file.datasync();
    } catch (error) {
      // After a failed sync the system may report a later one as successful although data is missing.
      throw this.#fail(error);
    }
    if (written !== undefined) throw written.error;
  }

  async #open(): Promise<void> {
    if (this.#file !== undefined) return;
    const { number, file } = await this.#segments.openNewest();
    this.#fold.reset();
    [this.#file, this.#segment, this.#offset, this.#snapshotBytes] = [file, number, 0, 0];
    await this.#readOn();
  }

  /** Applies the new lines, of as many files as there are. */
  async #readOn(): Promise<void> {
    while ((await this.#readSegment()) === 'sealed') await this.#moveOn();
  }

  async #readSegment(): Promise<'open' | 'sealed'> {
    const file = this.#file;
    if (file === undefined) throw new Error('The file is closed.');
    // Looked up first: one that another process seals and removes meanwhile may have been read without its seal.
    const isDeleted = await file.isDeleted();
    const bytes = await file.readFrom(this.#offset);
    // One that was replaced has a seal. Without that it was deleted, and nobody would find what is written to it.
    if (isDeleted && !bytes.includes(seal)) throw this.#fail(new Error('It was deleted while it was in use.'));
    for (let start = 0; ;) {
      const end = bytes.indexOf(0x0a, start);
      // The rest is being written, or was cut off.
      if (end === -1) return 'open';
      const before = this.#offset;
      this.#offset += end + 1 - start;
      if (end > start && this.#applyLine(bytes.toString('utf8', start, end)) === 'sealed') {
        // It is read again where moving on fails: what is behind it does not count.
        this.#offset = before;
        return 'sealed';
      }
      start = end + 1;
    }
  }

  #applyLine(line: string): 'open' | 'sealed' {
    const parsed = parseLine(line);
    if (parsed === undefined) return 'open';
    if (parsed['seal'] === true) return 'sealed';
    if (parsed['snapshot'] === true) this.#snapshotBytes = this.#offset;
    const change: unknown = parsed['c'];
    if (!this.#isChange(change)) return 'open';
    const verdict = this.#fold.apply(change);
    const number = parsed['w'] === this.#writer ? Number(parsed['n']) : undefined;
    const own = number === undefined ? undefined : this.#unread.get(number);
    if (own === undefined) return 'open';
    this.#unread.delete(own.number);
    own.verdict.resolve(verdict);
    return 'open';
  }

  /** Whether it may be a change; the fold checks its fields. */
  #isChange(value: unknown): value is Change {
    return isRecord(value);
  }

  /** Opens the newest file, and creates it when the current one is sealed and none follows. */
  async #moveOn(): Promise<void> {
    const newest = (await this.#segments.newest()) ?? 0;
    if (newest <= this.#segment) {
      await this.#fold.replacing?.();
      const lines = [...this.#fold.snapshot()].map((change) => `${JSON.stringify({ c: change })}\n`);
      await this.#segments.add(this.#segment + 1, `${lines.join('')}{"snapshot":true}\n`);
    }
    await this.#file?.close();
    this.#file = undefined;
    const { number, file } = await this.#segments.openNewest();
    this.#fold.reset();
    [this.#file, this.#segment, this.#offset, this.#snapshotBytes] = [file, number, 0, 0];
  }

  async #compact(): Promise<void> {
    const changes = this.#offset - this.#snapshotBytes;
    if (changes < Math.max(this.#compactAfterBytes, this.#snapshotBytes)) return;
    if (!(await this.#segments.canAdd(this.#segment + 1))) return;
    // Also run behind the seal, for a process that ends in between. What fails here leaves a file that can be written to.
    await this.#fold.replacing?.();
    await this.#write([seal]);
    await this.#readOn();
  }
}

/** What failed, since a part may be in the file all the same. */
async function attemptWrite(file: OpenFile, bytes: Buffer): Promise<{ readonly error: unknown } | undefined> {
  try {
    await file.write(bytes);
    return undefined;
  } catch (error) {
    return { error };
  }
}

/** `undefined` for a line that was cut off. */
function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
