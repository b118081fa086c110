import { Deferred } from '@hexagent/async';
import type { ReceivedFrame } from '../wire.ts';
import type { AgentRequest } from './script.ts';
import type { Session } from './session.ts';

/** The outcome of a request of the agent. */
export type Answer =
  | { readonly kind: 'success'; readonly response: Readonly<Record<string, unknown>> | undefined }
  | { readonly kind: 'error'; readonly error: string | undefined }
  /** The host ended its side while the answer was awaited. */
  | { readonly kind: 'closed' }
  /** The host had ended its side before, so no request was sent. */
  | { readonly kind: 'unasked' }
  | { readonly kind: 'withdrawn' };

/** The agent's own requests and their answers. */
export class AgentRequests {
  readonly #session: Session;
  readonly #open = new Map<unknown, { readonly request: AgentRequest; readonly answer: Deferred<Answer> }>();
  #closed = false;

  constructor(session: Session) {
    this.#session = session;
  }

  /** The pending requests, as an `initialize` answer lists them. Recording 90-permission-never-answered. */
  pending(subtype: string): object[] {
    const pending: object[] = [];
    for (const [request_id, { request }] of this.#open) {
      if (request.subtype === subtype) pending.push({ type: 'control_request', request_id, request });
    }
    return pending;
  }

  async ask(request: AgentRequest): Promise<Answer> {
    // Recording h-eof-before-ask: after EOF nothing is written, the request fails at once.
    if (this.#closed) return { kind: 'unasked' };
    const requestId = this.#session.uuid();
    const answer = new Deferred<Answer>();
    this.#open.set(requestId, { request, answer });
    this.#session.raw({ type: 'control_request', request_id: requestId, request });
    return await answer.promise;
  }

  /** An answer without a pending request is ignored. Recording 14-permission-raw-odd-answers. */
  answered(response: ReceivedFrame['response']): void {
    // Recording 15-bad-line-ctl-response-flat: without a nested response there is no answer.
    if (response === undefined) return;
    const open = this.#open.get(response.request_id);
    this.#open.delete(response.request_id);
    if (response.subtype === 'success') open?.answer.resolve({ kind: 'success', response: response.response });
    else open?.answer.resolve({ kind: 'error', error: response.error });
  }

  /** Recordings 21-interrupt-during-permission, 74-interrupt-during-sdk-mcp-call, h-interrupt-during-hook. */
  withdraw(): void {
    for (const [requestId, { request, answer }] of this.#open) {
      this.#open.delete(requestId);
      if (request.subtype === 'mcp_message') this.#cancelCall(request);
      else this.#session.raw({ type: 'control_cancel_request', request_id: requestId });
      answer.resolve({ kind: 'withdrawn' });
    }
  }

  /** The host will send no more answers. Recordings 44-eof-with-pending-permission, 44-eof-during-hook, 93. */
  close(): void {
    this.#closed = true;
    for (const { answer } of this.#open.values()) answer.resolve({ kind: 'closed' });
    this.#open.clear();
  }

  #cancelCall({ server_name, message }: AgentRequest): void {
    // The message is one of ours: a JSON-RPC request with an id.
    const { id } = message as { readonly id?: string };
    const params = { requestId: id, reason: 'AbortError: remote-cancel' };
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
    this.#session.raw({
      type: 'control_request',
      request_id: this.#session.uuid(),
      request: { subtype: 'mcp_message', server_name, message: cancelled },
    });
  }
}
