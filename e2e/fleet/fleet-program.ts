// A worker or a gateway of a fleet, for a test that kills it: `fleet-program.ts worker|gateway OPTIONS`. Prints a JSON line with its address when it
// is there, and one for each message that its agents begin with. The line `drain` drains a worker; the end of the input closes it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import {
  createGateway,
  createWorker,
  toNodeListener,
  type ChatSessionOptions,
  type WorkerOptions,
} from '@hexagent/chat';
import { createSdk, type Sdk } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { Pool, type PoolConfig } from 'pg';

export interface FleetProgramOptions {
  readonly pool: PoolConfig;
  readonly schema: string;
  readonly key: string;
  readonly leaseMs: number;
  readonly hosting?: WorkerOptions['hosting'];
  /** Of the real CLI; without them agents are scripted. */
  readonly session?: ChatSessionOptions;
  /** How long a scripted agent takes for a message. */
  readonly turnMs?: number;
}

export interface FleetReport {
  readonly kind: 'ready' | 'ran';
  /** The address, or the text of the message. */
  readonly text: string;
}

const [, , role = '', json = '{}'] = process.argv;
const { pool: place, schema, key, leaseMs, hosting, session, turnMs = 30 } = JSON.parse(json) as FleetProgramOptions; // the test wrote it
const pool = new Pool({ ...place, connectionTimeoutMillis: 2000 });
const shared = { postgres: { pool, schema, leaseMs }, identity: { key }, onError: () => {} };
const report = (line: FleetReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/** Agents that report each message that they begin with, and answer with its text. One that begins with `ask` asks for a call first. */
function scripted(): Pick<Sdk, 'openSession'> {
  const agent = scriptedAgent({
    turns({ message }) {
      const text = textOf(message);
      report({ kind: 'ran', text });
      const done = gate();
      setTimeout(() => done.open(), turnMs);
      const asked = text.startsWith('ask ') ? [reply.tool('Bash', { command: 'make' }, { asks: true })] : [];
      return [...asked, 'I did ', reply.hold(done), `${text}.`];
    },
  });
  return createSdk({ transport: linkedTransport(agent).transport });
}

function textOf(message: unknown): string {
  const content: unknown = Reflect.get(Object(message), 'content');
  return typeof content === 'string' ? content : JSON.stringify(content);
}

async function work(): Promise<void> {
  const own = session === undefined ? { sdk: scripted(), session: { cwd: process.cwd() } } : { session };
  const worker = await createWorker({ ...shared, ...own, hosting, address: 'https://127.0.0.1:0' });
  report({ kind: 'ready', text: worker.address });
  for await (const line of createInterface({ input: process.stdin })) if (line === 'drain') await worker.drain();
  await worker.close();
}

async function answer(): Promise<void> {
  const gateway = createGateway(shared);
  const server = createServer(toNodeListener(gateway.handle)).listen(0, '127.0.0.1', () => {
    report({ kind: 'ready', text: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api` }); // it listens at an IP
  });
  for await (const _ of createInterface({ input: process.stdin }));
  await gateway.close();
  server.close();
  server.closeAllConnections();
}

await (role === 'worker' ? work() : answer());
await pool.end();
