// A host of scripted agents over PostgreSQL, for a test that kills it. Reads messages, a JSON line each; writes what was accepted and what ran.
import { createInterface } from 'node:readline';
import { createSessionHost } from '@hexagent/chat';
import { createSdk } from '@hexagent/sdk';
import { gate, linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { Pool, type PoolConfig } from 'pg';

export interface HostOrder {
  readonly session: string;
  readonly uuid: string;
  readonly content: string;
}

export interface HostReport {
  readonly kind: 'ready' | 'accepted' | 'failed' | 'ran';
  /** The content of the message. */
  readonly content: string;
  readonly why?: string;
}

const { HOST_POOL = '', HOST_SCHEMA: schema } = process.env;
const pool = new Pool(JSON.parse(HOST_POOL) as PoolConfig); // written by the test
const report = (line: HostReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

const agent = scriptedAgent({
  turns({ message }) {
    const content = String(Reflect.get(Object(message), 'content'));
    report({ kind: 'ran', content });
    const done = gate();
    setTimeout(() => done.open(), 30);
    return [reply.hold(done), `I did ${content}.`];
  },
});

const host = createSessionHost({
  sdk: createSdk({ transport: linkedTransport(agent).transport }),
  session: { cwd: process.cwd() },
  postgres: { pool, schema, leaseMs: 1500 },
  // A message that was cut off is not run again.
  autoResume: 'never',
  takeoverGraceMs: 200,
  sweepMs: 500,
});

async function take({ session, uuid, content }: HostOrder): Promise<void> {
  try {
    await host.create(session);
    await host.send(session, { uuid, content });
    report({ kind: 'accepted', content });
  } catch (error) {
    report({ kind: 'failed', content, why: String(error) });
  }
}

await host.recover();
report({ kind: 'ready', content: '' });
const input = createInterface({ input: process.stdin });
input.on('line', (line) => void take(JSON.parse(line) as HostOrder)); // written by the test
input.on('close', () => void host.close().then(() => process.exit()));
