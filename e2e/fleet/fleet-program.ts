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
import { agentsWithLedger, type LedgerOptions } from './chaos/agents.ts';
import { watchStalls } from './chaos/stalls.ts';

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
  /** The IP at which it listens, and where the others are. */
  readonly place?: { readonly address: string; readonly range: string };
  /** Its agents write down what they do. */
  readonly ledger?: LedgerOptions;
  /** Where it writes down, under this name, when it did not get on. */
  readonly stalls?: { readonly file: string; readonly name: string };
  /** How wrong the time of day is. */
  readonly clockOffMs?: number;
}

export interface FleetReport {
  readonly kind: 'ready' | 'ran';
  /** The address, or the text of the message. */
  readonly text: string;
}

const [, , role = '', json = '{}'] = process.argv;
const options = JSON.parse(json) as FleetProgramOptions; // the test wrote it
const { schema, key, leaseMs, hosting, session, turnMs = 30, ledger, stalls, clockOffMs = 0 } = options;
const { address = '127.0.0.1', range = '127.0.0.0/8' } = options.place ?? {};
const now = Date.now.bind(Date);
if (clockOffMs !== 0) Date.now = () => now() + clockOffMs;
if (stalls !== undefined) watchStalls(stalls.file, stalls.name);
const pool = new Pool({ ...options.pool, connectionTimeoutMillis: 2000 });
// A connection that breaks while none uses it.
pool.on('error', () => {});
const shared = {
  postgres: { pool, schema, leaseMs },
  identity: { key },
  ranges: [range],
  onError: (error: unknown) => {
    if (process.env['DBG']) console.error(role, error);
  },
};
const report = (line: FleetReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

/**
 * Agents that report each message that they begin with, and answer with its text. One that begins with `ask` asks for a call first, with
 * `use NAME` for a call of that tool; with `note UUID` a line of that uuid is added to the transcript.
 */
function scripted(): Pick<Sdk, 'openSession'> {
  const agent = scriptedAgent({
    turns({ message }) {
      const text = textOf(message);
      report({ kind: 'ran', text });
      const done = gate();
      setTimeout(() => done.open(), turnMs);
      const [verb, name = ''] = text.split(' ');
      const tool = { ask: 'Bash', use: name }[verb ?? ''];
      const asked = tool === undefined ? [] : [reply.tool(tool, { command: 'make' }, { asks: true })];
      const noted = verb === 'note' ? [reply.frames(noteOf(name))] : [];
      return [...asked, ...noted, 'I did ', reply.hold(done), `${text}.`];
    },
  });
  return createSdk({ transport: linkedTransport(agent).transport });
}

function textOf(message: unknown): string {
  const content: unknown = Reflect.get(Object(message), 'content');
  return typeof content === 'string' ? content : JSON.stringify(content);
}

const noteOf = (uuid: string): object => ({
  type: 'transcript_mirror',
  filePath: '/projects/fleet/chat.jsonl',
  entries: [{ type: 'user', uuid }],
});

async function work(): Promise<void> {
  const plain = session === undefined ? { sdk: scripted(), session: { cwd: process.cwd() } } : { session };
  const own = ledger === undefined ? plain : agentsWithLedger(ledger, session);
  const worker = await createWorker({ ...shared, ...own, hosting, address: `https://${address}:0` });
  report({ kind: 'ready', text: worker.address });
  for await (const line of createInterface({ input: process.stdin })) if (line === 'drain') await worker.drain();
  await worker.close();
}

async function answer(): Promise<void> {
  // Another address than that of this machine is let in only with a sign-in.
  const gateway = createGateway({
    ...shared,
    ...(options.place && { hosts: [address], identify: () => ({ name: 'page' }) }),
  });
  const server = createServer(toNodeListener(gateway.handle)).listen(0, address, () => {
    report({ kind: 'ready', text: `http://${address}:${(server.address() as AddressInfo).port}/api` }); // it listens at an IP
  });
  for await (const _ of createInterface({ input: process.stdin }));
  await gateway.close();
  server.close();
  server.closeAllConnections();
}

await (role === 'worker' ? work() : answer());
await pool.end();
