import { AbortError, errorText, SdkError } from '@hexagent/ports';
import type { ControlRequest, ControlResponse, Frame, Host, HostContext } from '@hexagent/ports';
import { answerers } from './answers.ts';
import { Unanswerable } from './call.ts';
import type { Answerer, Payload } from './call.ts';
import { cancelledBy, isCall } from './mcp-answers.ts';
import { isRecord } from './shapes.ts';
import type { Watching } from './watching.ts';
import type { Writer } from './writer.ts';

/** JSON-RPC has no code of its own for this; editors and their servers agree on this one. */
const requestCancelled = -32800;

/** The agent's requests to us: each gets one answer, however often it is asked, withdrawn or failed. */
export class Incoming {
  readonly #host: Host;
  readonly #writer: Writer;
  readonly #watching: Watching;
  readonly #changed: () => void;
  readonly #open = new Map<string, OpenCall>();

  constructor(ports: {
    readonly host: Host;
    readonly writer: Writer;
    readonly watching: Watching;
    readonly changed: () => void;
  }) {
    this.#host = ports.host;
    this.#writer = ports.writer;
    this.#watching = ports.watching;
    this.#changed = ports.changed;
  }

  get size(): number {
    return this.#open.size;
  }

  asked(frame: Frame & { readonly request_id?: unknown; readonly request?: unknown }): void {
    const { request_id: id, request } = frame;
    // Without an id there is nobody to answer; the parser has told the observer.
    if (typeof id !== 'string' || this.#open.has(id)) return;
    if (!isRequest(request)) {
      this.#write({ subtype: 'error', request_id: id, error: 'A control request needs a `request` with a `subtype`.' });
      return;
    }
    const answerer = answerers.get(request.subtype);
    if (answerer === undefined) {
      this.#write({
        subtype: 'error',
        request_id: id,
        error: `Unsupported control request subtype: ${request.subtype}`,
        error_code: 'unsupported_request',
      });
      return;
    }
    this.#endCancelled(request);
    const call = new OpenCall(id, request, answerer);
    this.#open.set(id, call);
    this.#changed();
    void this.#answer(call);
  }

  /** The agent no longer waits: whoever is answering may stop, and what they answer is dropped. */
  withdrawn({ request_id: id }: Frame & { readonly request_id?: unknown }): void {
    const call = typeof id === 'string' ? this.#open.get(id) : undefined;
    if (call === undefined) return;
    this.#close(call);
    call.abort(new AbortError('The agent withdrew its request.'));
  }

  /** Nobody waits for an answer any more. */
  end(reason: Error): void {
    const calls = [...this.#open.values()];
    this.#open.clear();
    for (const call of calls) call.abort(reason);
    if (calls.length > 0) this.#changed();
  }

  async #answer(call: OpenCall): Promise<void> {
    const { request } = call;
    try {
      const fault = (error: Error): void => this.#fault(call, error);
      const payload = await call.answerer.answer({ request, host: this.#host, context: call, fault });
      this.#finish(call, payload);
    } catch (error) {
      if (!(error instanceof Unanswerable)) this.#fault(call, error);
      this.#fail(call, errorText(error));
    }
  }

  /** @throws {SdkError} `FRAME_INVALID` when the payload cannot be written; the call is then still open. */
  #finish(call: OpenCall, payload: Payload | undefined): void {
    if (!this.#isOpen(call)) return;
    // Written before it is closed: who waits for open answers to end must not end our input before the answer is out.
    if (payload !== undefined) this.#write({ subtype: 'success', request_id: call.requestId, response: payload });
    this.#close(call);
  }

  #fail(call: OpenCall, words: string, code?: number): void {
    if (!this.#isOpen(call)) return;
    const payload = call.answerer.failed?.(call.request, words, code);
    if (payload === undefined) this.#write({ subtype: 'error', request_id: call.requestId, error: words });
    else this.#write({ subtype: 'success', request_id: call.requestId, response: payload });
    this.#close(call);
  }

  /** MCP withdraws with a message of its own. A server answers no cancelled call, so it is answered here. */
  #endCancelled(request: ControlRequest): void {
    const cancelled = cancelledBy(request);
    if (cancelled === undefined) return;
    for (const call of [...this.#open.values()].filter((open) => isCall(open.request, cancelled))) {
      this.#fail(call, 'The call was cancelled.', requestCancelled);
      call.abort(new AbortError('The agent cancelled the call.'));
    }
  }

  #fault(call: OpenCall, error: unknown): void {
    if (!this.#isOpen(call)) return; // withdrawn: that it failed is what was asked for
    this.#watching.tell({ kind: 'callback_failed', subtype: call.request.subtype, error });
  }

  #isOpen(call: OpenCall): boolean {
    return this.#open.get(call.requestId) === call;
  }

  #close(call: OpenCall): void {
    this.#open.delete(call.requestId);
    this.#changed();
  }

  #write(response: ControlResponse): void {
    try {
      // An answer to an agent that has gone has nobody to reach; its exit tells the rest.
      this.#writer.write({ type: 'control_response', response }, { passing: true }).catch(() => {});
    } catch (error) {
      if (SdkError.is(error) && error.code === 'FRAME_INVALID') throw error;
    }
  }
}

/** The signal is made when someone looks at it: most answers are quick and never do. */
class OpenCall implements HostContext {
  readonly requestId: string;
  readonly request: ControlRequest;
  readonly answerer: Answerer;
  #controller: AbortController | undefined;
  #reason: Error | undefined;

  constructor(requestId: string, request: ControlRequest, answerer: Answerer) {
    this.requestId = requestId;
    this.request = request;
    this.answerer = answerer;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  abort(reason: Error): void {
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

function isRequest(value: unknown): value is ControlRequest {
  return isRecord(value) && typeof value['subtype'] === 'string';
}
