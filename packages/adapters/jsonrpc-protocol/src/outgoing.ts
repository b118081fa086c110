import { checkDelay, isRecord } from '@hexagent/checks';
import { AbortError, SdkError, unsupportedError } from '@hexagent/ports';
import type { Clock, ControlRequestFrame, Frame, Ids, RequestOptions } from '@hexagent/ports';
import { Deferred, onAbort } from '@hexagent/async';
import type { Writer } from './writer.ts';

type Answer = Readonly<Record<string, unknown>>;

interface OpenRequest {
  readonly frame: ControlRequestFrame;
  /** It is `initialize`, which has its own deadline, and is never given up. */
  readonly isSetup: boolean;
  readonly answer: Deferred<Answer>;
  /** Ends the waiting for the clock and the signal. */
  release: () => void;
}

export interface AskOptions extends RequestOptions {
  /** Not held back behind `initialize`. */
  readonly bypassHold?: boolean | undefined;
}

/** The requests of the SDK to the agent. Each has a unique id and settles exactly once. */
export class Outgoing {
  readonly #writer: Writer;
  readonly #ids: Ids;
  readonly #clock: Clock;
  readonly #changed: () => void;
  readonly #open = new Map<string, OpenRequest>();
  /** The version of the agent, once it has introduced itself. */
  agentVersion: string | undefined;

  constructor(ports: {
    readonly writer: Writer;
    readonly ids: Ids;
    readonly clock: Clock;
    readonly changed: () => void;
  }) {
    this.#writer = ports.writer;
    this.#ids = ports.ids;
    this.#clock = ports.clock;
    this.#changed = ports.changed;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The subtypes of what waits for an answer. */
  subtypes(): readonly string[] {
    return [...this.#open.values()].map(({ frame }) => frame.request.subtype);
  }

  async ask(subtype: string, fields: Answer, options: AskOptions = {}): Promise<Answer> {
    const { signal, bypassHold = false } = options;
    checkDelay('timeoutMs', options.timeoutMs);
    if (signal?.aborted) throw aborted(subtype, signal);
    const id = this.#ids.request();
    const frame: ControlRequestFrame = { type: 'control_request', request_id: id, request: { ...fields, subtype } };
    const written = this.#writer.write(frame, { bypassHold });
    const answer = new Deferred<Answer>();
    const open: OpenRequest = { frame, isSetup: bypassHold, answer, release: () => {} };
    this.#open.set(id, open);
    try {
      this.#guard(open, options);
    } catch (error) {
      // The signal is the program's own, and may throw.
      this.#settle(id, () => answer.reject(error));
    }
    written.catch((error: unknown) => this.#unwritten(id, error));
    this.#changed();
    return await answer.promise;
  }

  /** Receives an answer, and returns the request that it belongs to. One that belongs to no open request is dropped. */
  answered(frame: Frame & { readonly response?: unknown }): ControlRequestFrame | undefined {
    const response = frame.response;
    if (!isRecord(response) || typeof response['request_id'] !== 'string') return undefined;
    const { request_id: id, subtype, response: payload = {} } = response;
    const open = this.#open.get(id);
    if (open === undefined) return undefined;
    if (subtype === 'success' && isRecord(payload)) this.#settle(id, ({ answer }) => answer.resolve(payload));
    else this.#settle(id, ({ answer }) => answer.reject(this.#refused(open.frame, response)));
    return open.frame;
  }

  /** Rejects and cancels every request except the one that sets up the agent. */
  giveUp(error: Error): void {
    for (const { frame, isSetup } of [...this.#open.values()]) {
      if (!isSetup) this.#withdraw(frame, error);
    }
  }

  /** Rejects every request: no answer can arrive any more. Later ones are refused by the writer. */
  end(error: Error): void {
    for (const id of this.#open.keys()) this.#settle(id, ({ answer }) => answer.reject(error));
  }

  /** Called with an open request: a field of it may have aborted the signal when it was read, which withdraws it at once. */
  #guard(open: OpenRequest, { signal, timeoutMs = 0 }: RequestOptions): void {
    const { frame } = open;
    const { subtype } = frame.request;
    const onTimeout = (): void => {
      this.#withdraw(
        frame,
        new SdkError('REQUEST_TIMEOUT', `The agent did not answer \`${subtype}\` within ${timeoutMs} ms.`),
      );
    };
    const stopClock = timeoutMs > 0 ? this.#clock.after(timeoutMs, onTimeout, { keepsAlive: true }) : undefined;
    open.release = () => stopClock?.();
    const ignoreAbort = onAbort(signal, () => this.#withdraw(frame, aborted(subtype, signal)));
    open.release = () => {
      ignoreAbort();
      stopClock?.();
    };
  }

  /** Rejects a request, and cancels it at the agent, unless it was never sent. */
  #withdraw(frame: ControlRequestFrame, error: Error): void {
    const wasHeld = this.#writer.withdraw(frame);
    this.#settle(frame.request_id, ({ answer }) => answer.reject(error));
    if (wasHeld || frame.request.subtype === 'initialize') return;
    try {
      this.#writer.write({ type: 'control_cancel_request', request_id: frame.request_id }).catch(() => {});
    } catch {
      // The input has ended, so nothing can be cancelled; the answer will be dropped.
    }
  }

  /** The channel rejects what is open soon after its pipe broke: with the exit of the agent, if it exits. */
  #unwritten(id: string, error: unknown): void {
    this.#writer.unwritten(error);
    if (!SdkError.is(error) || error.code !== 'CHANNEL_CLOSED') this.#settle(id, ({ answer }) => answer.reject(error));
  }

  /** The error ends in the text of the agent, and its cause is the whole answer, which holds the `error_code`. */
  #refused({ request }: ControlRequestFrame, response: Readonly<Record<string, unknown>>): SdkError {
    const text = typeof response['error'] === 'string' ? response['error'] : 'its answer has no form that is known';
    if (response['error_code'] === 'unsupported_request' || unsupported.test(text))
      return unsupportedError(request.subtype, this.agentVersion, { cause: response });
    return new SdkError('REQUEST_FAILED', `The agent refused \`${request.subtype}\`: ${text}`, { cause: response });
  }

  #settle(id: string, settle: (open: OpenRequest) => void): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#open.delete(id);
    open.release();
    settle(open);
    this.#changed();
  }
}

function aborted(subtype: string, signal: AbortSignal | undefined): AbortError {
  return new AbortError(`\`${subtype}\` was aborted before the agent answered it.`, { cause: signal?.reason });
}

/** In every version the text begins like this for a request that the agent does not have; only newer ones give a code as well. */
const unsupported = /^Unsupported control request subtype\b/;
