import { join } from 'node:path';
import { Deferred, Serial } from '@hexagent/async';
import { isRecord } from '@hexagent/checks';
import type { SdkError } from '@hexagent/ports';
import { storeFailed } from './file-errors.ts';
import { checkFolder, checkWhole, type FilesOptions } from './files-options.ts';
import type { Fold } from './fold.ts';
import { isSeal, isSnapshotEnd, parseLine, sealLine } from './journal-line.ts';
import { linePieces, longestLineBytes, toPieces, type FileLine } from './line-pieces.ts';
import type { OpenFile } from './open-file.ts';
import { Segments } from './segments.ts';
import { Snapshot } from './snapshot.ts';

export interface JournalOptions<State> extends FilesOptions {
  /** Of the journal's own folder. Default: `folder` itself. */
  readonly name?: string | undefined;
  readonly fold: State;
}

interface Appended<Verdict> {
  readonly number: number;
  readonly line: string;
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
 * When a file has grown, a snapshot is written, and then a line seals the file: lines behind the seal do not count, and are
 * written again into the next file, which begins with the snapshot and the lines between it and the seal. A process that
 * finds a seal without a next file creates that file from the same lines.
 */
export class SharedJournal<Change, Verdict, State extends Fold<Change, Verdict>> {
  readonly #segments: Segments;
  readonly #fold: State;
  readonly #compactAfterBytes: number;
  /** Marks the lines that this journal wrote. */
  readonly #writer: string = crypto.randomUUID();
  #appended = 0;
  #queue: Appended<Verdict>[] = [];
  /** What was written and not yet read back. */
  readonly #unread = new Map<number, Appended<Verdict>>();
  #file: OpenFile | undefined;
  #segment = 0;
  /** The position up to which the file was applied. */
  #offset = 0;
  #snapshotBytes = 0;
  /** The beginning of the next file, while this one is being sealed. */
  #snapshot: Snapshot | undefined;
  readonly #serial = new Serial();
  #written: Promise<void> | undefined;
  #failure: SdkError | undefined;
  #isClosed = false;

  /** @throws {TypeError} for an option that is not what it must be. */
  constructor({ folder, name = '', fold, compactAfterBytes = 1_000_000 }: JournalOptions<State>) {
    checkFolder(folder);
    checkWhole(compactAfterBytes, 'compactAfterBytes');
    this.#segments = new Segments(join(folder, name));
    this.#fold = fold;
    this.#compactAfterBytes = compactAfterBytes;
  }

  /** Resolves with the outcome of the change, once it would survive a loss of power. */
  async append(change: Change): Promise<Verdict> {
    this.#check();
    const verdict = new Deferred<Verdict>().handled();
    const number = (this.#appended += 1);
    this.#queue.push({ number, line: this.#toLine({ w: this.#writer, n: number, c: change }), verdict });
    // Those that come while the disk is busy are written together.
    this.#written ??= this.#inTurn(() => this.#writeQueue());
    // A change that could not be written has failed by then. A compaction that failed is reported by the next call.
    await this.#written.catch(() => {});
    return await verdict.promise;
  }

  /** Resolves with the state when everything is applied that was in the file at this moment. */
  async refresh(): Promise<State> {
    this.#check();
    await this.#inTurn(async () => {
      await this.#open();
      await this.#readOn();
    });
    return this.#fold;
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

  /** @throws {SdkError} `STORE_FAILED` for what is longer than a line can be: it concerns no other change. */
  #toLine(content: Readonly<Record<string, unknown>>): string {
    try {
      const line = JSON.stringify(content);
      if (Buffer.byteLength(line) > longestLineBytes)
        throw new RangeError(`It has more than ${longestLineBytes} bytes.`);
      return line;
    } catch (error) {
      throw storeFailed(this.#segments.folder, error);
    }
  }

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    return this.#serial.run(task).catch((error: unknown) => {
      throw storeFailed(this.#segments.folder, error);
    });
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
    try {
      await this.#write([...this.#unread.values()].map(({ line }) => line));
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
    const file = this.#openFile;
    // The system keeps one write whole, except where the disk is full: then the rest is another line, and both are skipped.
    const written = await attempt(async () => {
      for (const piece of toPieces(lines.map((line) => `\n${line}\n`))) await file.write(piece);
    });
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
    const file = this.#openFile;
    // Looked up first: one that another process seals and removes meanwhile may have been read without its seal.
    const isDeleted = await file.isDeleted();
    const size = await file.size();
    // One that was replaced has a seal. Without that it was deleted, and no process would find what is written to it.
    if (isDeleted && !(await this.#hasSeal(size))) throw this.#fail(new Error('It was deleted while it was in use.'));
    for await (const { lines, end } of linePieces(file, this.#offset, size)) {
      for (const line of lines) {
        // A seal is read again where moving on fails: what is behind it does not count.
        this.#offset = line.start;
        if (this.#applyLine(line) === 'sealed') return 'sealed';
      }
      // The rest is being written, or was cut off.
      this.#offset = end;
    }
    return 'open';
  }

  async #hasSeal(size: number): Promise<boolean> {
    for await (const { lines } of linePieces(this.#openFile, this.#offset, size))
      if (lines.some(({ text }) => isSeal(parseLine(text)))) return true;
    return false;
  }

  #applyLine({ text, end }: FileLine): 'open' | 'sealed' {
    const parsed = parseLine(text);
    if (parsed === undefined) return 'open';
    if (isSeal(parsed)) return 'sealed';
    if (isSnapshotEnd(parsed)) this.#snapshotBytes = end;
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
    const taken = this.#snapshot;
    this.#snapshot = undefined;
    if (newest <= this.#segment) {
      const snapshot = taken ?? (await this.#takeSnapshot());
      await snapshot.addTo(this.#segments, { file: this.#openFile, seal: this.#offset });
    } else await taken?.discard();
    await this.#file?.close();
    this.#file = undefined;
    const { number, file } = await this.#segments.openNewest();
    this.#fold.reset();
    [this.#file, this.#segment, this.#offset, this.#snapshotBytes] = [file, number, 0, 0];
  }

  /** Begins the next file with what the lines so far add up to. */
  async #takeSnapshot(): Promise<Snapshot> {
    await this.#fold.replacing?.();
    const draft = await this.#segments.draft(this.#segment + 1);
    return await Snapshot.take(draft, { changes: this.#fold.snapshot(), offset: this.#offset });
  }

  async #compact(): Promise<void> {
    const changes = this.#offset - this.#snapshotBytes;
    if (changes < Math.max(this.#compactAfterBytes, this.#snapshotBytes)) return;
    if (!(await this.#segments.canAdd(this.#segment + 1))) return;
    // Before the seal: what fails here leaves a file that can be written to.
    this.#snapshot = await this.#takeSnapshot();
    try {
      await this.#write([sealLine]);
      await this.#readOn();
    } finally {
      await this.#snapshot?.discard();
      this.#snapshot = undefined;
    }
  }

  get #openFile(): OpenFile {
    if (this.#file === undefined) throw new Error('The file is closed.');
    return this.#file;
  }
}

/** What failed, since a part may have been done all the same. */
async function attempt(action: () => Promise<void>): Promise<{ readonly error: unknown } | undefined> {
  try {
    await action();
    return undefined;
  } catch (error) {
    return { error };
  }
}
