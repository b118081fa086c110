import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isRecord, type ApprovalAuditEntry } from '@hexagent/ports';
import { hasCode } from './file-errors.ts';
import { OpenFile } from './open-file.ts';

const ownersOnly = 0o600;
const chunkBytes = 64 * 1024;

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
    const lines = [...entries].map((entry) => JSON.stringify(entry));
    if (lines.length === 0) return;
    const file = await this.#open();
    // Otherwise a line that was cut off would become the start of the next one.
    const bytes = Buffer.from(`${(await endsWithLine(file)) ? '' : '\n'}${lines.join('\n')}\n`);
    await file.write(bytes);
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
    let file: FileHandle;
    try {
      file = await open(this.path, 'r');
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return;
      throw error;
    }
    try {
      let rest: Buffer[] = [];
      for (let position = from; ;) {
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position);
        if (bytesRead === 0) return;
        position += bytesRead;
        const bytes = buffer.subarray(0, bytesRead);
        let start = 0;
        for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
          yield Buffer.concat([...rest, bytes.subarray(start, end)]).toString('utf8');
          rest = [];
          start = end + 1;
        }
        rest.push(bytes.subarray(start));
      }
    } finally {
      await file.close();
    }
  }

  async #open(): Promise<OpenFile> {
    if (this.#file !== undefined) return this.#file;
    await mkdir(dirname(this.path), { recursive: true, mode: 0o700 });
    this.#file ??= await OpenFile.open(this.path, 'a+', ownersOnly);
    return this.#file;
  }
}

async function endsWithLine(file: OpenFile): Promise<boolean> {
  const last = await file.readFrom(Math.max(0, (await file.size()) - 1));
  return last.length === 0 || last.at(-1) === 0x0a;
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
