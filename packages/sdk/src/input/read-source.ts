import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { kindOf, refuse } from '@hexagent/checks';

/** A file that is sent: its path, its `file:` URL, or its bytes. */
export type FileSource = string | URL | Uint8Array;

export interface SourceFile {
  readonly bytes: Buffer;
  /** As messages name it. */
  readonly name: string;
  /** Of a file on the disk. */
  readonly title: string | undefined;
}

/**
 * The service takes requests of 32 MB. The history and the tools are in there too, for which 2 MB are left; base64 is longer than the bytes
 * by a third. The agent checks no document, and the service refuses every later request of the session as well.
 */
const mostBytes = (30 * 1024 * 1024 * 3) / 4;

/** @throws {TypeError} for what cannot be read, and for more than the service takes, of which nothing is read. */
export async function readSource(source: FileSource): Promise<SourceFile> {
  if (source instanceof Uint8Array) {
    checkSize('the data', source.byteLength);
    const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
    return { bytes, name: 'the data', title: undefined };
  }
  const file = pathOf(source);
  const name = JSON.stringify(file);
  return { bytes: await readLimited(file, name), name, title: path.basename(file) };
}

function pathOf(source: string | URL): string {
  if (source instanceof URL) return fileURLToPath(source);
  if (typeof source === 'string' && source !== '') return source;
  throw refuse('source', 'a path, a URL of a file, or bytes', source === '' ? 'an empty text' : kindOf(source));
}

async function readLimited(file: string, name: string): Promise<Buffer> {
  try {
    const stats = await stat(file);
    // Reading a pipe would wait for a writer, and a device may have no end.
    if (!stats.isFile()) throw new TypeError(`${name} is not a file. Pass the path of one.`);
    checkSize(name, stats.size);
    return await readFile(file);
  } catch (cause) {
    if (cause instanceof TypeError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new TypeError(`${name} cannot be read (${reason}).`, { cause });
  }
}

/** @throws {TypeError} that names the size and the limit */
function checkSize(name: string, size: number): void {
  if (size === 0) throw new TypeError(`${name} is empty.`);
  if (size <= mostBytes) return;
  throw new TypeError(`${name} has ${size} bytes, and the model's service takes files of at most ${mostBytes}.`);
}
