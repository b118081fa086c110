import type { ControlAnswer, FeatureControl } from '@hexagent/ports';

type Status = ControlAnswer<'mcp_status'>;

/** Why in-process servers failed. The agent reports the failure without a reason, so the reason is stored here. */
export class ServerFailures {
  readonly #reasons = new Map<string, string>();
  #control: FeatureControl | undefined;

  /** The receivers of failures. */
  attach(control: FeatureControl): void {
    this.#control = control;
  }

  /** Shown in the status, without a warning: someone else warns of it. */
  note(name: string, why: string): void {
    this.#reasons.set(name, why);
  }

  failed(name: string, why: string, cause?: unknown): void {
    // The agent tries each handshake twice, and one reason is warned of once.
    const isKnown = this.#reasons.get(name) === why;
    this.note(name, why);
    this.#control?.observe({ kind: 'server_failed', name, reason: why });
    if (isKnown) return;
    const message = `The MCP server ${name} failed: ${why}`;
    this.#control?.warn({ code: 'HEXAGENT_SERVER_FAILED', source: `MCP server ${name}`, message, cause });
  }

  mistaken(name: string, what: string, cause?: unknown): void {
    const source = `in-process MCP server ${name}`;
    this.#control?.observe({ kind: 'callback_failed', subtype: 'mcp_message', error: cause ?? new TypeError(what) });
    this.#control?.warn({ code: 'HEXAGENT_CALLBACK_FAILED', source, message: what, cause });
  }

  /** A tool of the server, which works, is not there for the model. */
  leftOut(name: string, what: string): void {
    this.#control?.warn({ code: 'HEXAGENT_TOOL_LEFT_OUT', source: `tool of the MCP server ${name}`, message: what });
  }

  /** The stored reason; `undefined` if no failure was reported. */
  why(name: string): string | undefined {
    return this.#reasons.get(name);
  }

  works(name: string): void {
    this.#reasons.delete(name);
  }

  /** The agent's answer to `mcp_status`, with the reasons that are stored here. */
  explain(answer: Status): Status {
    const { mcpServers } = answer;
    if (this.#reasons.size === 0 || !Array.isArray(mcpServers)) return answer;
    return { ...answer, mcpServers: mcpServers.map((server) => this.#explained(server)) };
  }

  #explained<Server>(server: Server): Server {
    if (typeof server !== 'object' || server === null || 'error' in server || !('name' in server)) return server;
    const error = typeof server.name === 'string' ? this.#reasons.get(server.name) : undefined;
    return error === undefined ? server : { ...server, error };
  }
}
