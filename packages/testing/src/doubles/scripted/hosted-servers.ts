import { version } from './facts.ts';
import type { Answer, AgentRequests } from './requests.ts';
import type { Session } from './session.ts';

/** The outcome of a call of a hosted tool. */
export type CallOutcome =
  | { readonly kind: 'content'; readonly content: readonly { readonly type: string; readonly text?: string }[] }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'closed' };

/** The MCP servers that live in the host's process. Recordings 12-mcp-sdk-server-tools, 13-mcp-raw-handshake. */
export class HostedServers {
  readonly #session: Session;
  readonly #requests: AgentRequests;
  readonly #names = new Set<string>();
  #ids = 0;
  #progressTokens = 1;

  constructor(session: Session, requests: AgentRequests) {
    this.#session = session;
    this.#requests = requests;
  }

  /** The handshake up to the point where the CLI answers the host's `initialize`. A manifest spares it. */
  async greet(names: readonly string[], manifests: Readonly<Record<string, unknown>>): Promise<() => Promise<void>> {
    const strangers = names.filter((name) => manifests[name] === undefined);
    const failed = new Set<string>();
    for (const name of strangers) {
      const answer = await this.#send(name, { method: 'initialize', params: handshake, id: this.#nextId() });
      if (rpcOf(answer)?.result === undefined) failed.add(name);
    }
    for (const name of names) {
      if (!failed.has(name)) this.#names.add(name);
    }
    this.#session.servers = names.map((name) => ({
      name,
      status: failed.has(name) ? 'failed' : 'connected',
      source: 'sdk',
    }));
    return async () => {
      for (const name of strangers.filter((stranger) => !failed.has(stranger))) {
        await this.#send(name, { method: 'notifications/initialized' });
        await this.listTools(name);
      }
    };
  }

  /** Also after `notifications/tools/list_changed`. */
  async listTools(name: string): Promise<void> {
    if (this.#names.has(name)) await this.#send(name, { method: 'tools/list', id: this.#nextId() });
  }

  /** The server and the tool of a name, if one of these servers has it. */
  find(toolName: string): { readonly server: string; readonly tool: string } | undefined {
    for (const server of this.#names) {
      const prefix = `mcp__${server}__`;
      if (toolName.startsWith(prefix)) return { server, tool: toolName.slice(prefix.length) };
    }
    return undefined;
  }

  async call(
    server: string,
    tool: string,
    { input, toolUseId }: { readonly input: object; readonly toolUseId: string },
  ): Promise<CallOutcome> {
    this.#progressTokens += 1;
    const _meta = { 'claudecode/toolUseId': toolUseId, progressToken: this.#progressTokens };
    const answer = await this.#send(server, {
      method: 'tools/call',
      params: { name: tool, arguments: input, _meta },
      id: this.#nextId(),
    });
    if (answer.kind === 'error') return { kind: 'error', message: answer.error ?? '' };
    if (answer.kind !== 'success') return { kind: 'closed' };
    return outcomeOf(rpcOf(answer));
  }

  #nextId(): string {
    const id = `5c21b7ed:${this.#ids}`;
    this.#ids += 1;
    return id;
  }

  async #send(server: string, message: object): Promise<Answer> {
    const request = { subtype: 'mcp_message', server_name: server, message: { ...message, jsonrpc: '2.0' } };
    const answer = await this.#requests.ask(request);
    // Recording 94-mcp-response-variants: the CLI waits for ever for a call that is answered without an `mcp_response`.
    if (answer.kind === 'success' && rpcOf(answer) === undefined && 'id' in message) return await new Promise(() => {});
    return answer;
  }
}

const handshake = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'claude-code', title: 'Claude Code', version },
};

interface RpcAnswer {
  readonly result?: {
    readonly content?: readonly { readonly type: string; readonly text?: string }[];
    readonly isError?: boolean;
  };
  readonly error?: { readonly message: string };
}

function rpcOf(answer: Answer): RpcAnswer | undefined {
  // The agent reads only the fields that it needs; the form of the answer is a promise of the host.
  return answer.kind === 'success' ? (answer.response?.['mcp_response'] as RpcAnswer | undefined) : undefined;
}

function outcomeOf(answer: RpcAnswer | undefined): CallOutcome {
  if (answer?.error) return { kind: 'error', message: answer.error.message };
  const content = answer?.result?.content ?? [];
  if (answer?.result?.isError !== true) return { kind: 'content', content };
  return { kind: 'error', message: content.map(({ text = '' }) => text).join('\n') };
}
