import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { MessagesBody } from './requests.ts';
import { BrokenOff } from './wire.ts';

/** The body as text. @throws {BrokenOff} when the client disconnects while sending it. */
export async function readBody(request: IncomingMessage): Promise<string> {
  try {
    return await text(request);
  } catch {
    throw new BrokenOff('client-left'); // the only way a request stream fails
  }
}

/** The parsed body, or the text itself when it is not JSON; both are recorded. */
export function parseBody(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}

export function isMessagesBody(body: unknown): body is MessagesBody {
  return typeof body === 'object' && body !== null && 'messages' in body && Array.isArray(body.messages);
}
