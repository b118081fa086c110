import { errorText, isRecord } from '@hexagent/checks';
import { AbortError, rpcCodes, SdkError } from '@hexagent/ports';
import type { ControlRequest, ControlResponse, Frame, Host, RequestHandlers, UntypedHandlers } from '@hexagent/ports';
import { answererOf } from './answers.ts';
import { OpenCall, Unanswerable, type Payload, type ReportFault } from './call.ts';
import { cancelledBy, isCall } from './mcp-answers.ts';
import type { SafeObserver } from './safe-observer.ts';
import type { Writer } from './writer.ts';

/** The agent's requests to us: each gets one answer, however often it is asked, withdrawn or failed. */
export class Incoming {
  readonly #untyped: UntypedHandlers | undefined;
  readonly #handlers: RequestHandlers;
  readonly #writer: Writer;
  readonly #observer: SafeObserver;
  readonly #changed: () => void;
  readonly #fault: ReportFault;
  /** The open calls by a key made of the id, which may be of any type. */
  readonly #open = new Map<unknown, OpenCall>();

  constructor(ports: {
    readonly host: Host;
    readonly writer: Writer;
    readonly observer: SafeObserver;
    readonly changed: () => void;
  }) {
    this.#untyped = ports.host.untypedHandlers;
    this.#handlers = ports.host;
    this.#writer = ports.writer;
    this.#observer = ports.observer;
    this.#changed = ports.changed;
    this.#fault = (call, error, cause) => {
      if (!this.#isOpen(call)) return; // withdrawn: that it failed is what was asked for
      this.#observer.callbackFailed(call.request, error, cause);
    };
  }

  get size(): number {
    return this.#open.size;
  }

  asked(frame: Frame & { readonly request_id?: unknown; readonly request?: unknown }): void {
    const { request_id: id, request } = frame;
    const key = typeof id === 'string' ? id : keyOf(id);
    if (this.#open.has(key)) return;
    if (!isRequest(request)) {
      this.#write({ subtype: 'error', request_id: id, error: 'A control request needs a `request` with a `subtype`.' });
      return;
    }
    const answerer = answererOf(request.subtype, this.#untyped);
    if (answerer === undefined) {
      this.#write({
        subtype: 'error',
        request_id: id,
        error: `Unsupported control request subtype: ${request.subtype}`,
        error_code: 'unsupported_request',
      });
      return;
    }
    if (this.#open.size > 0) this.#endCancelled(request);
    const call = new OpenCall({ key, id, request, answerer });
    this.#open.set(key, call);
    this.#changed();
    void this.#answer(call);
  }

  /** The agent no longer waits: the handler may stop, and its answer is dropped. */
  withdrawn({ request_id: id }: Frame & { readonly request_id?: unknown }): void {
    const call = this.#open.get(typeof id === 'string' ? id : keyOf(id));
    if (call === undefined) return;
    this.#close(call);
    call.abort(new AbortError('The agent withdrew its request.'));
  }

  /** No answer is awaited any more. */
  end(reason: Error): void {
    const calls = [...this.#open.values()];
    this.#open.clear();
    for (const call of calls) call.abort(reason);
    if (calls.length > 0) this.#changed();
  }

  async #answer(call: OpenCall): Promise<void> {
    const { answerer, request } = call;
    try {
      const answer: unknown = await answerer.ask(request, this.#handlers, call);
      this.#finish(call, answerer.read(answer, call, this.#fault));
    } catch (error) {
      const code = Unanswerable.is(error) ? error.code : this.#fault(call, error, error);
      this.#fail(call, errorText(error), code);
    }
  }

  /** @throws {SdkError} `FRAME_INVALID` when the payload cannot be written; the call is then still open. */
  #finish(call: OpenCall, payload: Payload | undefined): void {
    const { key, id, isJson } = call;
    if (this.#open.get(key) !== call) return;
    // Written before it is closed: a caller that waits for open answers must not end the input before the answer is written.
    if (payload !== undefined) this.#write({ subtype: 'success', request_id: id, response: payload }, isJson);
    this.#close(call);
  }

  #fail(call: OpenCall, text: string, code?: number): void {
    if (!this.#isOpen(call)) return;
    const payload = call.answerer.failed?.(call.request, text, code);
    try {
      if (payload === undefined) this.#write({ subtype: 'error', request_id: call.id, error: text });
      else this.#write({ subtype: 'success', request_id: call.id, response: payload });
    } catch {
      // A parser that refuses even the text of a failure leaves nothing to answer with.
    }
    this.#close(call);
  }

  /** MCP withdraws a call with a message. A server does not answer a cancelled call, so it is answered here. */
  #endCancelled(request: ControlRequest): void {
    const cancelled = cancelledBy(request);
    if (cancelled === undefined) return;
    this.#endCalls((open) => isCall(open.request, cancelled), 'The agent cancelled the call.');
  }

  #endCalls(isMeant: (call: OpenCall) => boolean, why: string): void {
    for (const call of [...this.#open.values()].filter(isMeant)) {
      this.#fail(call, 'The call was cancelled.', rpcCodes.cancelled);
      call.abort(new AbortError(why));
    }
  }

  /**
   * Returns what ends the calls that are open now and that the agent drops without a message with this request of ours: those
   * of a server that it turns off. Later ones are of the server that was turned on again.
   */
  callsDroppedBy(
    subtype: string,
    { enabled, serverName: server }: Readonly<Record<string, unknown>>,
  ): (() => void) | undefined {
    if (subtype !== 'mcp_toggle' || enabled !== false) return undefined;
    const calls = new Set([...this.#open.values()].filter(({ request }) => request['server_name'] === server));
    return () => this.#endCalls((open) => calls.has(open), 'The MCP server was turned off.');
  }

  #isOpen(call: OpenCall): boolean {
    return this.#open.get(call.key) === call;
  }

  #close(call: OpenCall): void {
    this.#open.delete(call.key);
    this.#changed();
  }

  #write(response: ControlResponse, isJson = false): void {
    try {
      // An agent that has exited needs no answer, and its exit is reported.
      this.#writer
        .write({ type: 'control_response', response }, { bypassHold: true, isJson })
        .catch(this.#writer.unwritten);
    } catch (error) {
      if (SdkError.is(error) && error.code === 'FRAME_INVALID') throw error;
    }
  }
}

/** The key of an id that is not a string: the CLI answers requests with ids of any type, and without one. */
function keyOf(id: unknown): unknown {
  return id === undefined ? Symbol('a request without an id') : `\0${JSON.stringify(id)}`;
}

function isRequest(value: unknown): value is ControlRequest {
  return isRecord(value) && typeof value['subtype'] === 'string';
}
