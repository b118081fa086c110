import { assert } from './assert.ts';
import { Deferred, Inbox } from '@hexagent/async';
import type { JsonRpcMessage, McpServer, McpSession } from '@hexagent/ports';

/** A tool that a server under test must have. */
export interface ContractTool {
  readonly name: string;
  readonly description: string;
  /** The types of its arguments, all of which are required. */
  readonly args: Readonly<Record<string, 'number' | 'string'>>;
  readonly annotations?: { readonly readOnlyHint?: boolean } | undefined;
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
  /** What it returns is the result of the call, in the form of MCP; what it throws makes the call fail. */
  run(args: Readonly<Record<string, unknown>>, extra: ContractExtra): unknown;
}

export interface ContractExtra {
  readonly signal: AbortSignal;
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  sendNotification(notification: { readonly method: string; readonly params?: Record<string, unknown> }): Promise<void>;
}

/** A kind of MCP server under test. */
export interface McpServerFixture {
  /** A server with the name `calc` and these tools. */
  readonly createServer: (tools: readonly ContractTool[]) => McpServer | Promise<McpServer>;
  /** Adds a tool to a server that has sessions. Left out where the tools of a server are fixed. */
  readonly addTool?: (server: McpServer, tool: ContractTool) => void;
  /** Whether a server may have several sessions at the same time. Otherwise it must refuse the second one. */
  readonly hasManySessions: boolean;
}

export type McpServerPromises = Readonly<Record<string, (fixture: McpServerFixture) => Promise<void>>>;

/** One session, with the suite in place of the agent. */
export interface ContractSession {
  readonly server: McpServer;
  readonly session: McpSession;
  /** What the server sent by itself. */
  readonly received: readonly JsonRpcMessage[];
  /** The next message that the server sends by itself. */
  next(): Promise<JsonRpcMessage | undefined>;
  send(message: unknown, signal?: AbortSignal): Promise<JsonRpcMessage | undefined>;
  /** Sends a request and returns the reply, which has the same id. */
  ask(method: string, params?: unknown, options?: AskOptions): Promise<JsonRpcMessage>;
  /** Sends a notification, which must have no reply. */
  notify(method: string, params?: unknown): Promise<void>;
  call(name: string, args?: unknown, options?: AskOptions): Promise<JsonRpcMessage>;
}

export interface AskOptions {
  readonly id?: string | number;
  readonly signal?: AbortSignal;
}

const { signal: open } = new AbortController();

export const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'contract', version: '1' },
} as const;

export async function openServer(server: McpServer): Promise<ContractSession> {
  const received: JsonRpcMessage[] = [];
  const inbox = new Inbox<JsonRpcMessage>();
  const session = await server.open({
    send: async (message) => {
      received.push(message);
      inbox.push(message);
    },
  });
  let count = 0;
  const send: ContractSession['send'] = (message, signal = open) =>
    session.handle(message as JsonRpcMessage, { signal }); // whatever an agent might send
  const ask: ContractSession['ask'] = async (method, params, { id = `t:${(count += 1)}`, signal } = {}) => {
    const reply = await send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, signal);
    assert.ok(reply, `${method} has no reply.`);
    assert.equal(reply.id, id);
    return reply;
  };
  return {
    server,
    session,
    received,
    next: async () => (await inbox.next()).value,
    send,
    ask,
    notify: async (method, params) => assert.equal(await send({ jsonrpc: '2.0', method, params }), undefined),
    call: (name, args = {}, options = {}) => ask('tools/call', { name, arguments: args }, options),
  };
}

/** A session of a server with these tools, after the handshake. */
export async function begin(fixture: McpServerFixture, ...tools: readonly ContractTool[]): Promise<ContractSession> {
  const opened = await openServer(await fixture.createServer(tools));
  await opened.ask('initialize', hello);
  await opened.notify('notifications/initialized');
  return opened;
}

/** Fails unless the reply reports a failure to the model or the agent; returns the text of it. */
export function failureOf({ result, error }: JsonRpcMessage): string {
  if (error !== undefined) {
    assert.equal(typeof error.code, 'number');
    assert.ok(error.message.length > 0, 'An error has no message.');
    return error.message;
  }
  const { isError, content } = result as { isError?: unknown; content: readonly { text?: string }[] };
  assert.equal(isError, true, `It did not fail: ${JSON.stringify(result).slice(0, 200)}`);
  return content.map(({ text }) => text ?? '').join('\n');
}

export const text = (value: string): { readonly content: readonly object[] } => ({
  content: [{ type: 'text', text: value }],
});

export const add: ContractTool = {
  name: 'add',
  description: 'Adds two numbers',
  args: { a: 'number', b: 'number' },
  annotations: { readOnlyHint: true },
  _meta: { 'anthropic/searchHint': 'sums' },
  run: ({ a, b }) => text(String(Number(a) + Number(b))),
};

/** A tool that runs until it is released. */
export interface SlowTool {
  readonly tool: ContractTool;
  /** Resolves when the tool runs. */
  readonly started: Promise<ContractExtra>;
  readonly hasStarted: () => boolean;
  release(): void;
}

export function slow(): SlowTool {
  const started = new Deferred<ContractExtra>();
  const released = new Deferred<void>();
  const tool: ContractTool = {
    name: 'slow',
    description: 'Waits',
    args: {},
    async run(_, extra) {
      started.resolve(extra);
      await released.promise;
      return text('done');
    },
  };
  return { tool, started: started.promise, hasStarted: () => started.settled, release: () => released.resolve() };
}

/** A tool without arguments. */
export const simple = (name: string, run: ContractTool['run']): ContractTool => ({
  name,
  description: name,
  args: {},
  run,
});
