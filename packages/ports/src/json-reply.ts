import type { JsonRpcMessage } from './mcp.ts';

/**
 * A JSON-RPC reply whose result `jsonCopy` has made, so that the writer need not copy it again. A copy of the reply is
 * an object like any other, and so is a reply whose result was exchanged.
 */
export class JsonReply implements JsonRpcMessage {
  readonly jsonrpc = '2.0';
  readonly id: string | number;
  readonly result: unknown;
  readonly #checked: unknown;

  /** The result must be a copy that no other code can change. */
  constructor(id: string | number, result: unknown) {
    this.id = id;
    this.result = result;
    this.#checked = result;
  }

  static is(reply: unknown): reply is JsonReply {
    return typeof reply === 'object' && reply !== null && #checked in reply && reply.result === reply.#checked;
  }
}
