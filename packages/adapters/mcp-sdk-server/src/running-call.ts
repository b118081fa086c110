import { errorText, isRecord } from '@hexagent/checks';
import { rpcCodes } from '@hexagent/ports';
import type { JsonRpcMessage, McpCallContext, McpClientSide } from '@hexagent/ports';
import { handled, LazyAbortController, withLazySignal } from '@hexagent/async';
import { followAbort } from './follow-abort.ts';
import { failure, RpcFailure, type Fields, type RpcId } from './json-rpc.ts';
import type { ToolExtra } from './tool.ts';

/** A running `tools/call`. Its first answer counts: that of the tool, or the cancellation, even if the tool never returns. */
export class RunningCall {
  readonly requestId: RpcId;
  readonly #client: McpClientSide;
  /** Receives the answer; `undefined` once there is one. */
  #onAnswer: ((reply: JsonRpcMessage) => void) | undefined;
  #stopFollowing: (() => void) | undefined;
  #failure: RpcFailure | undefined;
  /** Made when the handler reads its signal, which most never do. */
  #controller: LazyAbortController | undefined;

  constructor(requestId: RpcId, client: McpClientSide, onAnswer: (reply: JsonRpcMessage) => void) {
    this.requestId = requestId;
    this.#client = client;
    this.#onAnswer = onAnswer;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new LazyAbortController((error) =>
        this.#client.mistaken?.(`A listener of a tool's signal failed: ${errorText(error)}`, error),
      );
      if (this.#failure !== undefined) this.#controller.abort(this.#failure);
    }
    return this.#controller.signal;
  }

  /** It is cancelled when the agent no longer waits, which the context reports. */
  follow(context: McpCallContext): void {
    this.#stopFollowing = followAbort(context, (reason) => this.cancel(reason));
  }

  answer(reply: JsonRpcMessage): void {
    const onAnswer = this.#onAnswer;
    if (onAnswer === undefined) return;
    this.#onAnswer = undefined;
    this.#stopFollowing?.();
    onAnswer(reply);
  }

  cancel(reason: unknown): void {
    const why = typeof reason === 'string' ? `: ${reason}` : '';
    this.abort(new RpcFailure(rpcCodes.cancelled, `The call was cancelled${why}.`, { cause: reason }));
  }

  /** Answers with the failure, and aborts the signal of the handler. */
  abort(why: RpcFailure): void {
    this.#failure ??= why;
    this.answer(failure(this.requestId, why));
    this.#controller?.abort(why);
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
    if (this.#failure !== undefined) return;
    if (typeof method !== 'string') throw new TypeError('A notification needs a method.');
    await this.#client.send({ jsonrpc: '2.0', method, ...(isRecord(params) ? { params } : {}) });
  }
}
