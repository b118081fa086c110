import { errorText, isRecord, rpcCodes } from '@hexagent/ports';
import type { McpCallContext, McpClientSide } from '@hexagent/ports';
import { handled, LazyAbortController, withLazySignal } from '@hexagent/async';
import { followAbort } from './follow-abort.ts';
import { RpcFailure, type Fields, type RpcId } from './json-rpc.ts';
import type { ToolExtra } from './tool.ts';

/** A running `tools/call`. */
export class RunningCall {
  readonly requestId: RpcId;
  readonly #client: McpClientSide;
  readonly #controller: LazyAbortController;
  readonly #stopFollowing: () => void;
  #cancel: ((reason: unknown) => void) | undefined;

  /** It is cancelled when the agent no longer waits, which the context reports. */
  constructor(requestId: RpcId, client: McpClientSide, context: McpCallContext) {
    this.requestId = requestId;
    this.#client = client;
    this.#controller = new LazyAbortController((error) =>
      client.mistaken?.(`A listener of a tool's signal failed: ${errorText(error)}`, error),
    );
    this.#stopFollowing = followAbort(context, (reason) => this.cancel(reason));
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** `settle()` rejects, and the signal of the handler aborts. */
  cancel(reason: unknown): void {
    const why = typeof reason === 'string' ? `: ${reason}` : '';
    this.abort(new RpcFailure(rpcCodes.cancelled, `The call was cancelled${why}.`, { cause: reason }));
  }

  /** The same with another failure. */
  abort(failure: RpcFailure): void {
    this.#cancel?.(failure);
    this.#controller.abort(failure);
  }

  /** Runs the call, and settles with its result, or when it is cancelled, even if the handler never settles. */
  settle(run: () => Promise<Fields>): Promise<Fields> {
    return new Promise((resolve, reject) => {
      if (this.#controller.aborted) return reject(this.signal.reason);
      this.#cancel = reject;
      run().then(resolve, reject);
    });
  }

  /** Removes what follows the agent. */
  release(): void {
    this.#stopFollowing();
  }

  /** The second argument of the handler: a new object, which the handler may destructure and copy. */
  toExtra(meta: Fields | undefined): ToolExtra {
    const extra = {
      requestId: this.requestId,
      sendNotification: (notification: Fields) => handled(this.#notify(notification)),
      _meta: meta,
    };
    return withLazySignal(extra, this);
  }

  async #notify({ method, params }: Fields): Promise<void> {
    if (this.#controller.aborted) return;
    if (typeof method !== 'string') throw new TypeError('A notification needs a method.');
    await this.#client.send({ jsonrpc: '2.0', method, ...(isRecord(params) ? { params } : {}) });
  }
}
