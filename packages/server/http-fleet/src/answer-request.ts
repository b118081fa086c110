import { SdkError, type ChatDoor } from '@hexagent/ports';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { callAt, calls, type Answer } from './calls.ts';
import { toFailure } from './failures.ts';
import type { WorkerLimits } from './limits.ts';
import { pump } from './pump.ts';
import { readJson } from './read-json.ts';
import { headName, writeHead } from './stream-head.ts';
import { longest } from './timer.ts';

export interface Answering {
  readonly door: ChatDoor;
  readonly limits: WorkerLimits;
  readonly failed: (error: unknown) => void;
  readonly isClosing: boolean;
}

/** Answers one request of a gateway. */
export function answerRequest(answering: Answering, incoming: IncomingMessage, outgoing: ServerResponse): void {
  outgoing.shouldKeepAlive &&= !answering.isClosing;
  answer(answering, incoming, outgoing).catch((error: unknown) => {
    outgoing.destroy();
    answering.failed(error);
  });
}

async function answer(answering: Answering, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { door, limits, failed } = answering;
  const name = callAt(incoming.method, incoming.url);
  if (name === undefined) return refuse(404, 'This worker does not have that call.', outgoing);
  let prepared;
  try {
    prepared = calls[name](await readJson(incoming, limits.requestBytes));
  } catch (error) {
    if (error instanceof TypeError) return refuse(400, error, outgoing);
    outgoing.destroy(); // the gateway has gone, or was too slow
    return;
  }
  let made: Answer;
  try {
    made = await prepared(door);
  } catch (error) {
    if (!isRefusal(error)) failed(error);
    return refuse(500, error, outgoing);
  }
  await send(made, outgoing, limits);
}

/** What a call is expected to reject with. Of other errors the cause stays here, so they are reported here. */
function isRefusal(error: unknown): boolean {
  const expected = ['HOST_CLOSED', 'HOST_FULL', 'SESSION_HELD', 'SESSION_CRASHING', 'SESSION_NOT_FOUND'];
  return SdkError.is(error) && expected.includes(error.code);
}

function refuse(status: number, error: unknown, outgoing: ServerResponse): void {
  // What is left of a body that was not read would be taken for the next request.
  if (!outgoing.req.complete) outgoing.shouldKeepAlive = false;
  sendJson(status, { error: toFailure(error) }, outgoing);
}

async function send({ value, stream }: Answer, outgoing: ServerResponse, { unreadMs }: WorkerLimits): Promise<void> {
  if (stream === undefined) return sendJson(200, { value }, outgoing);
  const { headers, body } = stream;
  try {
    outgoing.writeHead(200, { [headName]: writeHead({ value, headers }) });
    // The message is accepted: the gateway reads that before the first bytes.
    outgoing.flushHeaders();
  } catch (error) {
    body.cancel().catch(() => {});
    throw error;
  }
  outgoing.setTimeout(Math.min(unreadMs, longest), () => {
    if (outgoing.writableNeedDrain) outgoing.destroy();
  });
  await pump(body, outgoing);
}

function sendJson(status: number, value: object, outgoing: ServerResponse): void {
  const body = Buffer.from(JSON.stringify(value));
  outgoing.writeHead(status, { 'content-type': 'application/json', 'content-length': body.byteLength });
  outgoing.end(body);
}
