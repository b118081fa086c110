import { errorText } from '@hexagent/checks';
import type { ControlAnswer, FeatureControl, JsonRpcMessage } from '@hexagent/ports';
import { listingProblem, toolsLeftOut, type TakenNames } from './tool-listing.ts';

type Status = ControlAnswer<'mcp_status'>;

/** Why in-process servers and their tools do not work. The agent reports a failure without a reason, so the reason is stored here. */
export class ServerReports {
  readonly #reasons = new Map<string, string>();
  /** Servers of which the agent shows no tool. */
  readonly #unusable = new Set<string>();
  readonly #taken: TakenNames = new Map();
  /** Tools that are left out and were reported to the program. */
  readonly #leftOut = new Set<string>();
  /** Lists in manifests, which the agent gets before there is a receiver of reports. */
  #early: (() => void)[] = [];
  #control: FeatureControl | undefined;

  attach(control: FeatureControl): void {
    this.#control = control;
    for (const check of this.#early.splice(0)) check();
  }

  /** Shown in the status, without a warning: the caller warns of it. */
  note(server: string, why: string): void {
    this.#reasons.set(server, why);
  }

  failed(server: string, why: string, cause?: unknown): void {
    // The agent tries each handshake twice, and one reason is warned of once.
    const isKnown = this.#reasons.get(server) === why;
    this.note(server, why);
    this.#control?.observe({ kind: 'server_failed', name: server, reason: why });
    if (isKnown) return;
    const message = `The MCP server ${server} failed: ${why}`;
    this.#control?.warn({ code: 'HEXAGENT_SERVER_FAILED', source: `MCP server ${server}`, message, cause });
  }

  mistaken(server: string, what: string, cause?: unknown): void {
    const source = `in-process MCP server ${server}`;
    this.#control?.observe({ kind: 'callback_failed', subtype: 'mcp_message', error: cause ?? new TypeError(what) });
    this.#control?.warn({ code: 'HEXAGENT_CALLBACK_FAILED', source, message: what, cause });
  }

  works(server: string): void {
    this.#reasons.delete(server);
  }

  removed(server: string): void {
    this.works(server);
    this.#forgetTools(server);
  }

  /** The stored reason; `undefined` if no failure was reported. */
  why(server: string): string | undefined {
    return this.#reasons.get(server);
  }

  /** The agent's answer to `mcp_status`, with the reasons that are stored here. */
  explain(answer: Status): Status {
    const { mcpServers } = answer;
    if (this.#reasons.size === 0 || !Array.isArray(mcpServers)) return answer;
    return { ...answer, mcpServers: mcpServers.map((server) => this.#explained(server)) };
  }

  /** Checks the tools that a server has listed: the agent leaves out some without a message. Never throws. */
  listed(server: string, { result, error }: Pick<JsonRpcMessage, 'result' | 'error'>): void {
    if (this.#control === undefined) return void this.#early.push(() => this.listed(server, { result, error }));
    try {
      const problem = error === undefined ? listingProblem(result) : `It refused tools/list: ${errorText(error)}`;
      if (problem !== undefined) {
        this.#unusable.add(server);
        return this.failed(server, problem);
      }
      if (this.#unusable.delete(server)) this.works(server);
      this.#forgetTools(server);
      for (const why of toolsLeftOut(result, server, this.#taken)) this.#leaveOut(server, why);
    } catch {
      // A server in this process may answer with an object that throws when it is read; the protocol refuses that.
    }
  }

  #leaveOut(server: string, why: string): void {
    const message = `The agent leaves out a tool of the MCP server ${server}: ${why}.`;
    if (this.#leftOut.has(message)) return;
    this.#leftOut.add(message);
    this.#control?.warn({ code: 'HEXAGENT_TOOL_LEFT_OUT', source: `tool of the MCP server ${server}`, message });
  }

  #forgetTools(server: string): void {
    for (const [whole, owner] of this.#taken) if (owner.server === server) this.#taken.delete(whole);
  }

  #explained<Server>(server: Server): Server {
    if (typeof server !== 'object' || server === null || 'error' in server || !('name' in server)) return server;
    const error = typeof server.name === 'string' ? this.#reasons.get(server.name) : undefined;
    return error === undefined ? server : { ...server, error };
  }
}
