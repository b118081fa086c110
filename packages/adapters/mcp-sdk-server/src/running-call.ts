import { isRecord } from '@hexagent/checks';
import { rpcCodes } from '@hexagent/ports';
import type { JsonRpcMessage, McpCallContext, McpClientSide } from '@hexagent/ports';
import { handled, onAbort } from '@hexagent/async';
import { failure, RpcFailure, type Fields, type RpcId } from './json-rpc.ts';
import type { ToolExtra } from './tool.ts';

/** A running `tools/call`. The first answer counts: that of the tool, or a cancellation, even if the tool never returns. */
export class RunningCall {
  readonly requestId: RpcId;
  readonly #client: McpClientSide;
  /** Receives the answer; `undefined` once there is one. */
  #onAnswer: ((reply: JsonRpcMessage) => void) | undefined;
  #stopFollowing: (() => void) | undefined;
  #failure: RpcFailure | undefined;
  readonly #controller = new AbortController();

  constructor(requestId: RpcId, client: McpClientSide, onAnswer: (reply: JsonRpcMessage) => void) {
    this.requestId = requestId;
    this.#client = client;
    this.#onAnswer = onAnswer;
  }

  /** Cancels the call when the context reports that the agent no longer waits. */
  follow(context: McpCallContext): void {
    const cancel = (reason: unknown): void => this.cancel(reason);
    this.#stopFollowing = context.onAbort?.(cancel) ?? onAbort(context.signal, cancel);
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
    this.#controller.abort(why);
  }

  /** The second argument of the handler: a new object, which the handler may destructure and copy. */
  toExtra(meta: Fields | undefined): ToolExtra {
    const controller = this.#controller;
    return {
      requestId: this.requestId,
      // Node makes a signal when it is read: with one for each call, tools miss their bound of time.
      get signal() {
        return controller.signal;
      },
      sendNotification: (notification: Fields) => handled(this.#notify(notification)),
      _meta: meta,
    };
  }

  async #notify({ method, params }: Fields): Promise<void> {
    if (this.#failure !== undefined) return;
    if (typeof method !== 'string') throw new TypeError('A notification needs a method.');
    await this.#client.send({ jsonrpc: '2.0', method, ...(isRecord(params) ? { params } : {}) });
  }
}
