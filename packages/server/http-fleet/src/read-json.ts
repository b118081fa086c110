import { JsonScan } from '@hexagent/checks';
import type { IncomingMessage } from 'node:http';

/** A page of the history has a few thousand values. */
const structure = { values: 200_000, depth: 200 };

/**
 * The body of a request or of an answer as JSON. What is too long or too deep is not read to its end.
 * @throws {TypeError} for such a body, and for one that is not JSON.
 */
export async function readJson(incoming: IncomingMessage, limit: number): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  const scan = new JsonScan(structure);
  let length = 0;
  // It stays open, so that a request which is refused can be answered.
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    const bytes = chunk as Uint8Array; // no encoding was set
    length += bytes.byteLength;
    if (length > limit) throw new TypeError(`The body is longer than ${limit} bytes.`);
    const passed = scan.add(bytes);
    if (passed !== undefined) throw new TypeError(`The body has more than ${structure[passed]} ${passed}.`);
    chunks.push(bytes);
  }
  return parse(Buffer.concat(chunks));
}

/** @throws {TypeError} for anything but JSON in UTF-8. */
export function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new TypeError('It is not JSON.');
  }
}
