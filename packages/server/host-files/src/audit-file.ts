import { hasCode, isRecord } from '@hexagent/checks';
import { dirname } from 'node:path';
import type { ApprovalAuditEntry } from '@hexagent/ports';
import { makeFolder } from '@hexagent/processes';
import { linePieces, toPieces } from './line-pieces.ts';
import { OpenFile } from './open-file.ts';

const ownersOnly = 0o600;

/**
 * A file of JSON lines that any number of processes append to. Reading yields the entry of an id once; two processes
 * that complete the entries of a third may write the same entry twice.
 */
export class AuditFile {
  readonly path: string;
  #file: OpenFile | undefined;

  constructor(path: string) {
    this.path = path;
  }

  async append(entries: Iterable<ApprovalAuditEntry>): Promise<void> {
    const file = await this.#open();
    for (const piece of toPieces(linesOf(entries, await endsWithLine(file)))) await file.write(piece);
  }

  /** Appends the entries that are missing after a position, and resolves with the length of the file once all is on the disk. */
  async complete(entries: ReadonlyMap<string, ApprovalAuditEntry>, from: number): Promise<number> {
    const missing = new Map(entries);
    if (missing.size > 0) for await (const { id } of this.read(from)) missing.delete(id);
    const file = await this.#open();
    await this.append(missing.values());
    await file.datasync();
    return await file.size();
  }

  /** The entries after a position, each once. */
  async *read(from = 0): AsyncIterable<ApprovalAuditEntry> {
    const seen = new Set<string>();
    for await (const line of this.#lines(from)) {
      const entry = parseEntry(line);
      if (entry === undefined || seen.has(entry.id)) continue;
      seen.add(entry.id);
      yield entry;
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async *#lines(from: number): AsyncIterable<string> {
    const file = await openExisting(this.path);
    if (file === undefined) return;
    try {
      for await (const { lines } of linePieces(file, from, await file.size())) for (const { text } of lines) yield text;
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<OpenFile> {
    if (this.#file !== undefined) return this.#file;
    makeFolder(dirname(this.path));
    this.#file ??= await OpenFile.open(this.path, 'a+', ownersOnly);
    return this.#file;
  }
}

function* linesOf(entries: Iterable<ApprovalAuditEntry>, isBehindLine: boolean): Iterable<string> {
  // Otherwise a line that was cut off would become the start of the next one.
  let before = isBehindLine ? '' : '\n';
  for (const entry of entries) {
    yield `${before}${JSON.stringify(entry)}\n`;
    before = '';
  }
}

async function endsWithLine(file: OpenFile): Promise<boolean> {
  const size = await file.size();
  const last = Buffer.alloc(1);
  return size === 0 || (await file.read(last, size - 1)) === 0 || last[0] === 0x0a;
}

/** `undefined` where nothing was written yet. */
async function openExisting(path: string): Promise<OpenFile | undefined> {
  try {
    return await OpenFile.open(path, 'r');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** As it was written. */
const isEntry = (value: unknown): value is ApprovalAuditEntry => isRecord(value) && typeof value['id'] === 'string';

function parseEntry(line: string): ApprovalAuditEntry | undefined {
  try {
    const parsed: unknown = JSON.parse(line);
    return isEntry(parsed) ? parsed : undefined;
  } catch {
    return undefined; // The line was cut off, and was written again later.
  }
}
