// A host of real agents over files, for a test that kills it. Reads messages, a JSON line each; writes how far each has arrived.
import { createInterface } from 'node:readline';
import { SessionHost } from '@hexagent/hosting';
import { DirectoryFiles, LeaseFiles, OutboxFiles } from '@hexagent/host-files';
import { systemClock } from '@hexagent/processes';
import { openSession } from '@hexagent/sdk';

export interface HostOrder {
  readonly id: string;
  readonly uuid: string;
  readonly content: string;
  readonly priority?: 'next';
}

export interface HostReport {
  readonly uuid: string;
  readonly state: string;
}

const { HOST_FOLDER: folder = '', HOST_CWD: cwd = '', HOST_CLI: executable = '', HOST_ENV = '{}' } = process.env;
const env = JSON.parse(HOST_ENV) as Record<string, string>; // written by the test

const report = (line: HostReport): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const host = new SessionHost({
  outbox: new OutboxFiles({ folder }),
  directory: new DirectoryFiles({ folder }),
  leases: new LeaseFiles({ folder }),
  clock: systemClock,
  ids: { uuid: () => crypto.randomUUID() },
  autoResume: 'continue',
  crashes: { firstDelayMs: 50, longestDelayMs: 200, maxCrashes: 100 },
  maxLive: 4,
  open: ({ options }) =>
    openSession({
      ...options,
      cwd,
      executable,
      env: { policy: 'exact', set: env },
      permissions: { allow: ['Bash'] },
    }),
});

async function take({ id, uuid, content, priority }: HostOrder): Promise<void> {
  try {
    await host.create(id);
    const receipt = await host.send(id, { uuid, content, ...(priority && { priority }) });
    report({ uuid, state: 'accepted' });
    const end = await receipt.done;
    report({ uuid, state: end.state === 'completed' ? 'completed' : `${end.state} ${String(end.reason)}` });
  } catch (error) {
    report({ uuid, state: `failed ${String(error)}` });
  }
}

await host.recover();
report({ uuid: '', state: 'ready' });
const input = createInterface({ input: process.stdin });
input.on('line', (line) => void take(JSON.parse(line) as HostOrder)); // written by the test
input.on('close', () => void host.drain({ withinMs: 20_000 }));
