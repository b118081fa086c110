import { isRecord } from '@hexagent/checks';
import type { InteractionContext, JsonRpcMessage } from '@hexagent/ports';
import { isId, type Outcome, type RpcId } from './json-rpc.ts';

/** Answers what a server asks; never rejects. The signal aborts when the answer is no longer awaited. */
export type Answerer = (method: string, params: unknown, context: InteractionContext) => Promise<Outcome>;

/** The open requests of the server. */
export class RequestsOfServer {
  readonly #open = new Map<RpcId, AbortController>();
  readonly #answerer: Answerer;
  readonly #send: (message: JsonRpcMessage) => Promise<void> | undefined;

  constructor(answerer: Answerer, send: (message: JsonRpcMessage) => Promise<void> | undefined) {
    this.#answerer = answerer;
    this.#send = send;
  }

  /** Never rejects. */
  async answer(id: RpcId, method: string, params: unknown): Promise<void> {
    const asked = new AbortController();
    this.#open.set(id, asked);
    const { signal } = asked;
    const outcome = await this.#answerer(method, params, { requestId: String(id), signal });
    if (this.#open.get(id) === asked) this.#open.delete(id);
    if (!signal.aborted) await this.#send({ jsonrpc: '2.0', id, ...outcome });
  }

  withdrawn(params: unknown): void {
    const id = isRecord(params) ? params['requestId'] : undefined;
    if (isId(id)) this.#open.get(id)?.abort();
  }

  /** No answer is awaited any more. */
  end(): void {
    for (const asked of this.#open.values()) asked.abort();
  }
}
