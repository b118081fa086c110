import { Serial } from '@hexagent/async';
import { JsonScan, type JsonStructure } from '@hexagent/checks';
import type { ChatLimits } from './limits.ts';
import { Refusal } from './refusal.ts';

/**
 * The body of a request as JSON, read no further than the limits allow.
 * @throws {Refusal} for a body that is too long, too slow, too deep, or not JSON.
 */
export async function readJson(request: Request, limits: ChatLimits): Promise<unknown> {
  const { headers } = request;
  const [type] = (headers.get('content-type') ?? '').split(';');
  if (type?.trim().toLowerCase() !== 'application/json' || headers.has('content-encoding'))
    throw new Refusal('WRONG_CONTENT_TYPE', 'The body must be JSON.');
  if (Number(headers.get('content-length') ?? 0) > limits.bodyBytes) throw tooLarge(limits);
  const bytes = await readBytes(request, limits);
  if (bytes.byteLength > largeBytes) await turnToParse();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Refusal('BAD_REQUEST', 'The body is no JSON.');
  }
}

const largeBytes = 64 * 1024;
const parsing = new Serial();

/** One large body is parsed in each turn of the event loop, so that many at once do not hold up all other requests. */
function turnToParse(): Promise<void> {
  return parsing.run(() => new Promise((resolve) => setTimeout(resolve, 0)));
}

async function readBytes({ body }: Request, limits: ChatLimits): Promise<Uint8Array> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slow = new Promise<never>((_, reject) => {
    const late = new Refusal('BODY_SLOW', 'The body did not come in time.');
    timer = setTimeout(() => reject(late), Math.min(limits.bodyMs, 2 ** 31 - 1));
  });
  try {
    return await Promise.race([collect(reader, limits), slow]);
  } catch (error) {
    // The rest of the body is not needed: the server may close the connection instead of receiving it.
    reader.cancel().catch(() => {});
    throw error instanceof Refusal ? error : new Refusal('BAD_REQUEST', 'The body ended before it was whole.');
  } finally {
    clearTimeout(timer);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, limits: ChatLimits): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  const scan = new JsonScan(limits);
  let length = 0;
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    length += read.value.byteLength;
    if (length > limits.bodyBytes) throw tooLarge(limits);
    const passed = scan.add(read.value);
    if (passed !== undefined) throw beyond(passed, limits);
    chunks.push(read.value);
  }
  return join(chunks, length);
}

function join(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const whole = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

function tooLarge({ bodyBytes }: ChatLimits): Refusal {
  return new Refusal('BODY_TOO_LARGE', `The body is longer than ${bodyBytes} bytes.`);
}

function beyond(passed: keyof JsonStructure, { values, depth }: ChatLimits): Refusal {
  return passed === 'values'
    ? new Refusal('BODY_TOO_LARGE', `The body has more than ${values} values.`)
    : new Refusal('BAD_REQUEST', `The body is nested more than ${depth} deep.`);
}
