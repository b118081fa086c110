import { errorText, given, hasCode, isRecord, record } from '@hexagent/checks';
import { SdkError, type Worker } from '@hexagent/ports';
import type { IncomingMessage } from 'node:http';
import type { Agent } from 'node:https';
import type { ReadAnswer } from './answers.ts';
import { pathOf, type CallName } from './calls.ts';
import { toError } from './failures.ts';
import type { GatewayLimits } from './limits.ts';
import { addressOf, type Place, type Places } from './places.ts';
import { post } from './post.ts';
import { toBody } from './pump.ts';
import { readJson } from './read-json.ts';
import { headName, readHead } from './stream-head.ts';
import { after } from './timer.ts';

export interface WorkerCall<T> {
  readonly name: CallName;
  readonly taken: object;
  readonly read: ReadAnswer<T>;
}

interface Parts {
  readonly agent: Agent;
  readonly places: Places;
  readonly limits: GatewayLimits;
}

/** A call or a stream that is open. */
interface Open {
  readonly worker: Worker;
  readonly address: string;
  readonly place: Place;
  cut: (error: Error) => void;
}

/** Makes the calls of one gateway. */
export class WorkerCalls {
  readonly #parts: Parts;
  readonly #open = new Set<Open>();
  /** How many are open at each address. */
  readonly #counts = new Map<string, number>();
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async make<T>(worker: Worker, { name, taken, read }: WorkerCall<T>): Promise<T> {
    const { requestBytes, startMs, answerMs } = this.#parts.limits;
    const body = Buffer.from(JSON.stringify(taken));
    if (body.byteLength > requestBytes)
      throw new TypeError(`The call has ${body.byteLength} bytes, more than \`limits.requestBytes\`: ${requestBytes}.`);
    const open = this.#enter(worker);
    const ms = name === 'start' ? startMs : answerMs;
    const cancel = after(ms, () => open.cut(unreachable(worker, `did not answer within ${ms} ms.`)));
    try {
      return await this.#answer(open, await this.#send(open, pathOf(name), body), read);
    } catch (error) {
      this.#leave(open);
      throw error;
    } finally {
      cancel();
    }
  }

  close(): void {
    this.#isClosed = true;
    for (const { cut } of this.#open) cut(closedError());
    this.#parts.agent.destroy();
  }

  #enter(worker: Worker): Open {
    if (this.#isClosed) throw closedError();
    const { places, limits } = this.#parts;
    const place = places.find(worker.address);
    if (place === undefined)
      throw unreachable(worker, 'has no address that is called here: only https://IP:port within `ranges` is.');
    const address = addressOf(place);
    const count = this.#counts.get(address) ?? 0;
    if (count >= limits.calls)
      throw new SdkError('HOST_FULL', `${count} calls and streams of ${called(worker)} are open, of \`limits.calls\`.`);
    this.#counts.set(address, count + 1);
    const open = { worker, address, place, cut: () => {} };
    this.#open.add(open);
    return open;
  }

  #leave(open: Open): void {
    if (!this.#open.delete(open)) return;
    const left = (this.#counts.get(open.address) ?? 1) - 1;
    if (left === 0) this.#counts.delete(open.address);
    else this.#counts.set(open.address, left);
  }

  /** A connection that was kept may have been closed at the other end just now: then the call is made over another one. */
  async #send(open: Open, path: string, body: Uint8Array): Promise<IncomingMessage> {
    const { agent } = this.#parts;
    for (;;) {
      const posted = post({ agent, place: open.place, path, body });
      open.cut = posted.cut;
      try {
        return await posted.answer;
      } catch (error) {
        const isGone = posted.isReused() && hasCode(error, 'ECONNRESET', 'EPIPE');
        if (!isGone || this.#isClosed) throw this.#failed(open.worker, error);
      }
    }
  }

  #failed(worker: Worker, error: unknown): SdkError {
    return this.#isClosed ? closedError() : failed(worker, error);
  }

  async #answer<T>(open: Open, incoming: IncomingMessage, read: ReadAnswer<T>): Promise<T> {
    let outcome: () => T;
    try {
      outcome = await this.#receive(open, incoming, read);
    } catch (error) {
      incoming.destroy();
      throw this.#failed(open.worker, error);
    }
    return outcome();
  }

  /** Returns the answer, or throws the error that the worker reported. */
  async #receive<T>(open: Open, incoming: IncomingMessage, read: ReadAnswer<T>): Promise<() => T> {
    const { headers, statusCode } = incoming;
    const head = headers[headName];
    if (typeof head === 'string') {
      const stream = { broken: (cause: unknown) => this.#failed(open.worker, cause), over: () => this.#leave(open) };
      const { value, headers: ofStream } = readHead(head);
      const answer = read({ value, stream: { headers: ofStream, body: toBody(incoming, stream) } });
      return () => answer;
    }
    const { value, error } = answerCheck(await readJson(incoming, this.#parts.limits.answerBytes), 'answer');
    if (statusCode === 404) throw new Error('It does not have this call, so it has another version');
    const reported = statusCode === 200 ? undefined : toError(error, open.worker.owner);
    const answer = reported === undefined ? read({ value }) : undefined;
    this.#leave(open);
    return () => {
      if (reported !== undefined) throw reported;
      return answer as T; // it was read
    };
  }
}

const answerCheck = record<{ value?: unknown; error?: unknown }>({ value: given(), error: given() });

const closedError = (): SdkError =>
  new SdkError('HOST_CLOSED', 'This process calls no workers any more: it is being shut down.');

const called = ({ owner, address }: Worker): string =>
  `the worker ${owner.slice(0, 200)} (${address?.slice(0, 100) ?? 'no address'})`;

const unreachable = (worker: Worker, why: string, cause?: unknown): SdkError =>
  new SdkError('WORKER_UNREACHABLE', `${called(worker).replace('the', 'The')} ${why}`, { cause });

/** The error of a call without an answer, or with one that this version does not know. */
function failed(worker: Worker, cause: unknown): SdkError {
  if (SdkError.is(cause)) return cause;
  if (cause instanceof TypeError)
    return unreachable(worker, `answered what this version does not know: ${errorText(cause)}`, cause);
  const code = isRecord(cause) && typeof cause['code'] === 'string' ? cause['code'] : undefined;
  const why = code ?? (cause === undefined ? 'the connection was closed' : errorText(cause));
  const check = 'Check its address, and that both have the same key, or valid certificates of the same authority.';
  return unreachable(worker, `was not reached, or has gone (${why}). ${check}`, cause);
}
