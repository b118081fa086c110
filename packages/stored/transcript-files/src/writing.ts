import { constants, type PathLike } from 'node:fs';
import { link, open, rename, unlink, type FileHandle } from 'node:fs/promises';
import type { TranscriptEntry } from '@hexagent/ports';
import { hasCode } from '@hexagent/checks';

/** Transcripts contain what people wrote to an agent, so other users must not read them. */
const ownersOnly = 0o600;

/**
 * Adds lines at the end of a file that exists. They are written at once, behind everything that others have written, and
 * begin on a line of their own where the last one was cut off.
 */
export async function appendLines(path: PathLike, lines: string): Promise<void> {
  const file = await open(path, constants.O_RDWR | constants.O_APPEND);
  try {
    const bytes = Buffer.from(`${(await endsWithLine(file)) ? '' : '\n'}${lines}`);
    // One write, which the system keeps whole; it is continued only where the disk took a part.
    for (let written = 0; written < bytes.length;) written += (await file.write(bytes, written)).bytesWritten;
  } finally {
    await file.close();
  }
}

async function endsWithLine(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return true;
  const last = Buffer.alloc(1);
  await file.read(last, 0, 1, size - 1);
  return last.toString() === '\n';
}

/** Writes a file that is there when it is complete, in the place of the one that was there. */
export async function replaceFile(path: string, text: string, unique: string): Promise<void> {
  await withTemporary(path, unique, async (file) => file.writeFile(text), rename);
}

/**
 * Writes a file that is there when it is complete.
 * @throws when there is one already; it stays as it is
 */
export async function addFile(path: string, lines: AsyncIterable<string>, unique: string): Promise<void> {
  const write = async (file: FileHandle): Promise<void> => {
    for await (const some of lines) await file.writeFile(some);
  };
  await withTemporary(path, unique, write, linkOrRename);
}

/** Unlike a rename, a link never replaces a file; not every file system has links. */
async function linkOrRename(temporary: string, path: string): Promise<void> {
  try {
    await link(temporary, path);
  } catch (error) {
    if (!hasCode(error, 'EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP')) throw error;
    await rename(temporary, path);
    return;
  }
  await unlink(temporary);
}

async function withTemporary(
  path: string,
  unique: string,
  write: (file: FileHandle) => Promise<void>,
  publish: (temporary: string, path: string) => Promise<void>,
): Promise<void> {
  const temporary = `${path}.${unique}.tmp`;
  const file = await open(temporary, 'wx', ownersOnly);
  try {
    try {
      await write(file);
    } finally {
      await file.close();
    }
    await publish(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => {}); // The first error counts.
    throw error;
  }
}

/** One line per entry. */
export function toLines(entries: readonly TranscriptEntry[]): string {
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
