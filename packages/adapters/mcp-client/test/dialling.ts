import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isAlive } from '@hexagent/testing/cli';
import { expect } from 'vitest';
import { Inbox } from '@hexagent/async';
import type { JsonRpcMessage, McpSession } from '@hexagent/ports';
import { external, type ExternalServer, type StdioServer } from '../src/index.ts';

const fixture = fileURLToPath(new URL('fixtures/notes-server.mjs', import.meta.url));

/** One server for a test, and the processes that were started for it. */
export interface Dialled extends AsyncDisposable {
  readonly server: ExternalServer;
  /** The program behind it and its arguments. */
  readonly args: readonly string[];
  /** Every process that was started, in order. */
  pids(): Promise<number[]>;
  /** Those of them that are still there. */
  alive(): Promise<number[]>;
}

export async function notes(flags: readonly string[] = [], options: Partial<StdioServer> = {}): Promise<Dialled> {
  const folder = await mkdtemp(join(tmpdir(), 'hexagent-mcp-'));
  const pidFile = join(folder, 'pids');
  const args = [fixture, `pid=${pidFile}`, ...flags];
  const server = external({ name: 'notes', command: process.execPath, args, ...options });
  const pids = async (): Promise<number[]> => {
    const lines = await readFile(pidFile, 'utf8').catch(() => '');
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map(Number);
  };
  return {
    server,
    args,
    pids,
    alive: async () => (await pids()).filter(isAlive),
    [Symbol.asyncDispose]: async () => {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

// There is no event when another process has started or was killed, so these two poll.
const polling = { timeout: 30_000, interval: 10 };

export async function started({ pids }: Dialled): Promise<void> {
  await expect.poll(pids, polling).toHaveLength(1);
}

export async function gone({ alive }: Dialled): Promise<void> {
  await expect.poll(alive, polling).toEqual([]);
}

/** The agent's side of one session, as a test plays it. */
export interface AgentSession {
  readonly session: McpSession;
  ask(
    method: string,
    params?: unknown,
    options?: { readonly id?: string | number; readonly signal?: AbortSignal },
  ): Promise<JsonRpcMessage>;
  send(message: unknown): Promise<JsonRpcMessage | undefined>;
  /** The text that a tool answers with; throws what goes wrong. */
  call(tool: string, args?: unknown, meta?: unknown): Promise<string>;
  /** Waits for the next message that the server sends by itself. */
  next(): Promise<JsonRpcMessage | undefined>;
  /** The warnings for the author of the program, in order. */
  readonly notices: string[];
}

export const hello = {
  protocolVersion: '2025-06-18',
  capabilities: { elicitation: {} },
  clientInfo: { name: 'claude-code', version: '2' },
};

const { signal: open } = new AbortController();

export function openSession(server: ExternalServer): AgentSession {
  const inbox = new Inbox<JsonRpcMessage>();
  const notices: string[] = [];
  const session = server.open({
    send: async (message) => void inbox.push(message),
    failed: (why) => void notices.push(why),
    recovered: () => void notices.push('recovered'),
    mistaken: (what) => void notices.push(what),
  });
  let count = 0;
  const ask: AgentSession['ask'] = async (method, params, { id = `t:${(count += 1)}`, signal = open } = {}) => {
    const reply = await session.handle({ jsonrpc: '2.0', id, method, params }, { signal });
    if (reply === undefined) throw new Error(`${method} got no answer.`);
    return reply;
  };
  return {
    session,
    notices,
    ask,
    send: (message) => session.handle(message as JsonRpcMessage, { signal: open }),
    call: async (name, args = {}, _meta) => {
      const { result, error } = await ask('tools/call', {
        name,
        arguments: args,
        ...(_meta === undefined ? {} : { _meta }),
      });
      if (error) throw new Error(error.message);
      return (result as { content: [{ text: string }] }).content[0].text;
    },
    next: async () => (await inbox.next()).value,
  };
}

/** The tool `echo` is listed and called without a change on the way. */
export async function expectEcho({ ask, call }: Pick<AgentSession, 'ask' | 'call'>): Promise<void> {
  const { result } = await ask('tools/list');
  expect((result as { tools: unknown[] }).tools[0]).toEqual({
    name: 'echo',
    inputSchema: { type: 'object' },
    _meta: { 'notes/name': 'echo' },
  });
  expect(JSON.parse(await call('echo', { word: 'café', list: [1, null] }))).toEqual({
    word: 'café',
    list: [1, null],
  });
}
