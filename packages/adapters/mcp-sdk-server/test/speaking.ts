import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';
import { Inbox } from '@hexagent/async';
import { createSdkMcpServer, hostServer, type CreateSdkMcpServerOptions } from '../src/index.ts';

/** The agent's side of one session, as a test plays it. */
export interface Speaker {
  readonly session: McpSession;
  /** What the server sent of its own accord. */
  readonly received: readonly JsonRpcMessage[];
  /** The next of these; waits for it. */
  next(): Promise<JsonRpcMessage | undefined>;
  ask(
    method: string,
    params?: unknown,
    options?: { readonly id?: string | number; readonly signal?: AbortSignal },
  ): Promise<JsonRpcMessage>;
  tell(method: string, params?: unknown): Promise<JsonRpcMessage | undefined>;
  /** Sends anything at all. */
  say(message: unknown): Promise<JsonRpcMessage | undefined>;
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

export async function speak(server: McpServer): Promise<Speaker> {
  const received: JsonRpcMessage[] = [];
  const inbox = new Inbox<JsonRpcMessage>();
  const send = async (message: JsonRpcMessage): Promise<void> => {
    received.push(message);
    inbox.push(message);
  };
  const session = await server.open({ send });
  let count = 0;
  const say: Speaker['say'] = (message) => session.handle(message as JsonRpcMessage, { signal: open });
  const ask: Speaker['ask'] = async (method, params, { id = `t:${(count += 1)}`, signal = open } = {}) => {
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
    say,
    ask,
    tell: (method, params) => say({ jsonrpc: '2.0', method, params }),
    call: async (name, args) => (await result('tools/call', { name, arguments: args })) as CallResult,
    listed: async () => ((await result('tools/list', undefined)) as { tools: Listed[] }).tools,
  };
}

/** Our own engine with these tools. */
export const light = (options: Omit<CreateSdkMcpServerOptions, 'name'> = {}): McpServer =>
  hostServer(createSdkMcpServer({ name: 'calc', ...options }));

export const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };

export const text = (value: string): { content: [{ type: 'text'; text: string }] } => ({
  content: [{ type: 'text', text: value }],
});
