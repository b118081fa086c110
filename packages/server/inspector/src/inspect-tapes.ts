import { open } from 'node:fs/promises';
import { basename } from 'node:path';
import { errorText } from '@hexagent/checks';
import { parseTape } from '@hexagent/tapes';
import { serveInspector, type InspectorServer } from './inspector-server.ts';
import { tapeSource } from './source.ts';

/** More than the first line of a tape takes. */
const headerBytes = 1000;

/**
 * Shows a tape, or two of them side by side. The process runs until the server is closed.
 * @throws {Error} that names the file, where it is not a tape that can be read; and the port, where it cannot be used.
 */
export async function inspectTapes(
  files: readonly string[],
  { port }: { readonly port?: number | undefined } = {},
): Promise<InspectorServer> {
  for (const file of files) await checkTape(file);
  const sources = files.map((file) => tapeSource(basename(file), file));
  return await serveInspector(sources, { port, keepsProcess: true });
}

async function checkTape(file: string): Promise<void> {
  let start: string;
  try {
    start = await startOf(file);
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${errorText(cause)}`, { cause });
  }
  parseTape(start, file);
}

/** The first line: a tape may be as large as the disk has room for. */
async function startOf(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(headerBytes) });
    const text = buffer.toString('utf8', 0, bytesRead);
    return text.slice(0, text.indexOf('\n') + 1);
  } finally {
    await handle.close();
  }
}
