import type { WarningListener } from '@hexagent/ports';
import { notify } from '@hexagent/async';
import type { Report } from './report.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Why in-process servers failed. The agent knows that they did and keeps no reason, so it is kept here. */
export class ServerFailures {
  readonly #report: Report | undefined;
  readonly #warn: WarningListener | undefined;
  readonly #reasons = new Map<string, string>();

  constructor({ report, warn }: { readonly report?: Report | undefined; readonly warn?: WarningListener | undefined }) {
    this.#report = report;
    this.#warn = warn;
  }

  /** Shown in the status, without a warning: someone else warns of it. */
  note(name: string, why: string): void {
    this.#reasons.set(name, why);
  }

  failed(name: string, why: string, cause?: unknown): void {
    this.note(name, why);
    this.#report?.({ kind: 'server_failed', name, reason: why });
    const message = `The MCP server ${name} failed: ${why}`;
    notify(() => this.#warn?.({ code: 'HEXAGENT_SERVER_FAILED', source: `MCP server ${name}`, message, cause }));
  }

  mistaken(name: string, what: string, cause?: unknown): void {
    const source = `in-process MCP server ${name}`;
    this.#report?.({ kind: 'callback_failed', subtype: 'mcp_message', error: cause ?? new TypeError(what) });
    notify(() => this.#warn?.({ code: 'HEXAGENT_CALLBACK_FAILED', source, message: what, cause }));
  }

  works(name: string): void {
    this.#reasons.delete(name);
  }

  /** The agent's answer to a request; that to `mcp_status` with the reasons that only we know. */
  async explained(subtype: string, answer: Promise<Fields>): Promise<Fields> {
    return subtype === 'mcp_status' ? this.#explain(await answer) : await answer;
  }

  #explain(answer: Fields): Fields {
    const { mcpServers } = answer;
    if (this.#reasons.size === 0 || !Array.isArray(mcpServers)) return answer;
    return { ...answer, mcpServers: mcpServers.map((server: unknown) => this.#explained(server)) };
  }

  #explained(server: unknown): unknown {
    if (typeof server !== 'object' || server === null || 'error' in server || !('name' in server)) return server;
    const error = typeof server.name === 'string' ? this.#reasons.get(server.name) : undefined;
    return error === undefined ? server : { ...server, error };
  }
}
