import { isRecord } from '@hexagent/ports';
import type { McpClientSide } from '@hexagent/ports';
import { Deferred, guardedSignal, handled } from '@hexagent/async';
import type { Fields, RpcId } from './json-rpc.ts';
import type { ToolExtra } from './tool.ts';

/** A running `tools/call`. Its signal is created when the handler reads it, since most handlers never do. */
export class RunningCall {
  readonly requestId: RpcId;
  readonly #client: McpClientSide;
  readonly #listenerFailed: (error: unknown) => void;
  readonly #ended = new Deferred<unknown>();
  #controller: AbortController | undefined;
  #signal: AbortSignal | undefined;
  #reason: Error | undefined;

  constructor(requestId: RpcId, client: McpClientSide, listenerFailed: (error: unknown) => void) {
    this.requestId = requestId;
    this.#client = client;
    this.#listenerFailed = listenerFailed;
  }

  get signal(): AbortSignal {
    if (this.#signal === undefined) {
      this.#controller = new AbortController();
      this.#signal = guardedSignal(this.#controller.signal, this.#listenerFailed);
      if (this.#reason !== undefined) this.#controller.abort(this.#reason);
    }
    return this.#signal;
  }

  /** Cancels the call: `settle()` rejects, and the signal of the handler aborts. */
  abort(reason: Error): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#ended.reject(reason);
    this.#controller?.abort(reason);
  }

  /** Settles with the result, or when the call is cancelled. */
  settle(result: Promise<unknown>): Promise<unknown> {
    result.then(
      (value) => this.#ended.resolve(value),
      (error: unknown) => this.#ended.reject(error),
    );
    return this.#ended.promise;
  }

  /** The second argument of the handler: a new object, which the handler may destructure and copy. */
  toExtra(meta: Fields | undefined): ToolExtra {
    const signal = (): AbortSignal => this.signal;
    return {
      get signal() {
        return signal();
      },
      requestId: this.requestId,
      sendNotification: (notification: Fields) => handled(this.#notify(notification)),
      _meta: meta,
    };
  }

  async #notify({ method, params }: Fields): Promise<void> {
    if (this.#reason !== undefined) return;
    if (typeof method !== 'string') throw new TypeError('A notification needs a method.');
    await this.#client.send({ jsonrpc: '2.0', method, ...(isRecord(params) ? { params } : {}) });
  }
}
