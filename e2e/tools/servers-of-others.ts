import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openSession, type Session, type AnyServer } from '@hexagent/sdk';
import type { Stage } from '../support/stage.ts';

/** How a server is started that others wrote and publish. */
export interface Started {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

const entries = {
  everything: import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'),
  filesystem: import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
  memory: import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
};

export function published(name: keyof typeof entries, ...args: readonly string[]): Started {
  return { command: process.execPath, args: [fileURLToPath(entries[name]), ...args] };
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
}

/** The server with one tool of each kind, over streamable HTTP. */
export async function everythingByHttp(): Promise<Listening> {
  const port = await freePort();
  const { command, args } = published('everything', 'streamableHttp');
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  // Its first line reports that it listens.
  await once(createInterface(child.stderr), 'line');
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    async [Symbol.asyncDispose]() {
      if (child.kill('SIGKILL')) await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

export type Servers = Readonly<Record<string, AnyServer>>;

/** A session that may call every tool of these servers. */
export const openWith = (place: Stage, servers: Servers): Promise<Session> =>
  openSession({
    ...place.options,
    tools: [servers],
    permissions: { allow: Object.keys(servers).map((name) => `mcp__${name}`) },
  });

/** What the agent answers at last. */
export async function answer(session: Session): Promise<string> {
  const outcome = await session.send('go').result;
  return outcome.kind === 'completed' ? outcome.text : JSON.stringify(outcome);
}
