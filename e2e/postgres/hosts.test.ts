import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '@hexagent/testing';
import { describe, expect, inject, it } from 'vitest';
import type { HostOrder, HostReport } from './host-program.ts';
import { placeIn, type Place } from './places.ts';
import { serverKinds, startServer, type ServerAddress } from './servers.ts';

const program = fileURLToPath(new URL('host-program.ts', import.meta.url));

type Seen = HostReport & { readonly host: number };

interface Host {
  order(order: HostOrder): void;
  kill(): void;
  /** Ends it in order, where it was not killed. */
  end(): Promise<void>;
}

async function startHost(
  host: number,
  { server, place, seen }: { server: ServerAddress; place: Place; seen: Seen[] },
): Promise<Host> {
  const child = spawn(process.execPath, ['--conditions=@hexagent/source', '--no-warnings', program], {
    env: { ...process.env, HOST_POOL: JSON.stringify(server), HOST_SCHEMA: place.schema },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  // One that was killed reads no orders.
  child.stdin.on('error', () => {});
  createInterface({ input: child.stdout }).on('line', (line) => seen.push({ ...JSON.parse(line), host }));
  const exited = once(child, 'exit');
  await expect.poll(() => seen).toContainEqual({ kind: 'ready', content: '', host });
  return {
    order: (order) => void child.stdin.write(`${JSON.stringify(order)}\n`),
    kill: () => void child.kill('SIGKILL'),
    async end() {
      child.stdin.end();
      await exited;
    },
  };
}

const sessions = Array.from({ length: 12 }, (_, number) => `chat ${number}`);

interface Run {
  readonly server: ServerAddress;
  readonly turns: number;
  /** Called before each order. Returns the hosts that may be given it. */
  readonly before: (at: number, hosts: readonly Host[]) => Promise<readonly Host[]>;
}

/** Gives messages to three hosts over one schema, one after the other, and waits until each has ended. */
async function run({ server, turns, before }: Run) {
  await using place = placeIn(server);
  const { outbox } = place.open();
  const seen: Seen[] = [];
  const hosts = await Promise.all([0, 1, 2].map((host) => startHost(host, { server, place, seen })));
  const random = seededRandom(20);
  const orders = Array.from({ length: turns }, (_, turn) => turn + 1).flatMap((turn) =>
    sessions.map((session) => ({ session, uuid: crypto.randomUUID(), content: `${session}, message ${turn}` })),
  );
  const of = (kind: HostReport['kind'], content: string): number =>
    seen.filter((each) => each.kind === kind && each.content === content).length;
  try {
    for (const [at, order] of orders.entries()) {
      const living = await before(at, hosts);
      let [given, taken] = [0, 0];
      await expect
        .poll(
          () => {
            // One that could not be stored is given again, to any host.
            if (given === of('failed', order.content)) {
              given += 1;
              living[Math.floor(random() * living.length)]!.order(order);
            }
            taken = of('accepted', order.content);
            return taken;
          },
          { interval: 5 },
        )
        .toBe(1);
    }
    const states = async () => await Promise.all(orders.map((order) => outbox.stateOf(order)));
    await expect
      .poll(async () => new Set((await states()).filter((state) => state !== 'completed' && state !== 'cancelled')))
      .toEqual(new Set());
    const ends = await states();
    return { seen, messages: orders.map(({ content }, at) => ({ end: ends[at], ran: of('ran', content), content })) };
  } finally {
    await Promise.all(hosts.map((host) => host.end()));
  }
}

/**
 * Each message is run once, or is cut off once, visibly: then its agent may not have begun with it. In order, by one host at a time. One whose
 * agent ended before it was stored that the agent had begun is sent again. An agent finds its uuid in the transcript, and a scripted
 * one has no transcript: it runs it again. There is at most one such message in each session.
 */
function expectOnce({ seen, messages }: Awaited<ReturnType<typeof run>>): void {
  const allowed = { completed: [1, 2], cancelled: [0, 1] } as Readonly<Record<string, readonly number[]>>;
  for (const { end = '', ran, content } of messages) expect(allowed[end], `${content}: ${end}`).toContain(ran);
  const sentAgain = messages.filter(({ ran }) => ran === 2).map(({ content }) => content.split(',')[0]);
  expect(new Set(sentAgain).size).toBe(sentAgain.length);
  for (const session of sessions) {
    const ran = seen.filter(({ kind, content }) => kind === 'ran' && content.startsWith(`${session},`));
    expect(ran.map(({ content }) => content)).toEqual(ran.map(({ content }) => content).toSorted());
  }
}

describe.each(inject('servers'))('Hosts over the server of $kind', ({ kind: _kind, ...server }) => {
  it('run each message once, or cut it off, in order, when one of three is killed', async () => {
    const result = await run({
      server,
      turns: 6,
      async before(at, hosts) {
        if (at === 30) hosts[0]!.kill();
        return at < 30 ? hosts : hosts.slice(1);
      },
    });
    expectOnce(result);
    // What the killed host drove, at most one message of each session.
    expect(result.messages.filter(({ end }) => end === 'cancelled').length).toBeLessThanOrEqual(sessions.length);
    const ran = result.seen.filter(({ kind }) => kind === 'ran');
    expect(new Set(ran.map(({ host }) => host)).size).toBe(3);
    expect(result.seen.filter(({ kind }) => kind === 'failed')).toEqual([]);
    for (const session of sessions) {
      const drivers = ran.flatMap(({ host, content }) => (content.startsWith(`${session},`) ? [host] : []));
      const changes = drivers.filter((host, index) => host !== drivers[index - 1]);
      expect(new Set(changes).size).toBe(changes.length);
    }
  });
});

describe.each(serverKinds)('Hosts over a server of %s', (kind) => {
  it('run each message once, or cut it off, in order, when the server goes away and comes back', async () => {
    await using server = await startServer(kind);
    let starting = Promise.resolve();
    const result = await run({
      server: server.address,
      turns: 4,
      async before(at, hosts) {
        if (at === 18) {
          await server.stop();
          starting = server.start();
        }
        return hosts;
      },
    });
    await starting;
    expectOnce(result);
  });
});
