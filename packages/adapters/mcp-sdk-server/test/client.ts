import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import { createSdkMcpServer, hostServer, type CreateSdkMcpServerOptions } from '../src/index.ts';

/** The client of one session, in place of the agent. */
export interface TestClient {
  readonly session: McpSession;
  /** Notifications and requests of the server. */
  readonly received: readonly JsonRpcMessage[];
  /** The next of these, once it arrives. */
  next(): Promise<JsonRpcMessage | undefined>;
  ask(
    method: string,
    params?: unknown,
    options?: { readonly id?: string | number; readonly signal?: AbortSignal },
  ): Promise<JsonRpcMessage>;
  notify(method: string, params?: unknown): Promise<JsonRpcMessage | undefined>;
  /** Sends any value. */
  send(message: unknown): Promise<JsonRpcMessage | undefined>;
  call(tool: string, args?: unknown): Promise<CallResult>;
  listed(): Promise<Listed[]>;
}

export interface CallResult {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly isError?: boolean;
}

export interface Listed {
  readonly name: string;
  readonly inputSchema: Record<string, unknown>;
  readonly annotations?: unknown;
  readonly _meta?: unknown;
}

const { signal: open } = new AbortController();

export async function openSession(server: McpServer): Promise<TestClient> {
  const received: JsonRpcMessage[] = [];
  const inbox = new Inbox<JsonRpcMessage>();
  const session = await server.open({
    send: async (message: JsonRpcMessage): Promise<void> => {
      received.push(message);
      inbox.push(message);
    },
  });
  let count = 0;
  const send: TestClient['send'] = (message) => session.handle(message as JsonRpcMessage, { signal: open });
  const ask: TestClient['ask'] = async (method, params, { id = `t:${(count += 1)}`, signal = open } = {}) => {
    const reply = await session.handle({ jsonrpc: '2.0', id, method, params }, { signal });
    if (reply === undefined) throw new Error(`${method} got no answer.`);
    return reply;
  };
  const result = async (method: string, params: unknown): Promise<unknown> => {
    const { result, error } = await ask(method, params);
    if (error) throw new Error(error.message);
    return result;
  };
  return {
    session,
    received,
    next: async () => (await inbox.next()).value,
    send,
    ask,
    notify: (method, params) => send({ jsonrpc: '2.0', method, params }),
    call: async (name, args) => (await result('tools/call', { name, arguments: args })) as CallResult,
    listed: async () => ((await result('tools/list', undefined)) as { tools: Listed[] }).tools,
  };
}

/** A server of our own engine with these tools. */
export const lightServer = (options: Omit<CreateSdkMcpServerOptions, 'name'> = {}): McpServer =>
  hostServer(createSdkMcpServer({ name: 'calc', ...options }));

export const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

export const text = (value: string): { content: [{ type: 'text'; text: string }] } => ({
  content: [{ type: 'text', text: value }],
});
