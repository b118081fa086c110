import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { seededRandom } from '@hexagent/testing';
import { describe, expect, inject, it } from 'vitest';
import type { HostOrder, HostReport } from './host-program.ts';
import { placeIn, type Place } from './places.ts';
import type { ServerAddress } from './servers.ts';

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

describe.each(inject('servers'))('Hosts over the server of $kind', ({ kind: _kind, ...server }) => {
  it('run each message once, or cut it off once, in order, when one of three is killed', async () => {
    await using place = placeIn(server);
    const { outbox } = place.open();
    const seen: Seen[] = [];
    const hosts = await Promise.all([0, 1, 2].map((host) => startHost(host, { server, place, seen })));
    const random = seededRandom(20);
    const sessions = Array.from({ length: 12 }, (_, number) => `chat ${number}`);
    const orders = [1, 2, 3, 4, 5, 6].flatMap((turn) =>
      sessions.map((session) => ({ session, uuid: crypto.randomUUID(), content: `${session}, message ${turn}` })),
    );
    const of = (kind: HostReport['kind'], content: string): readonly Seen[] =>
      seen.filter((each) => each.kind === kind && each.content === content);
    try {
      for (const [at, order] of orders.entries()) {
        if (at === 30) hosts[0]!.kill();
        const living = at < 30 ? hosts : hosts.slice(1);
        living[Math.floor(random() * living.length)]!.order(order);
        await expect.poll(() => of('accepted', order.content), { interval: 2 }).toHaveLength(1);
      }
      const states = async () => await Promise.all(orders.map((order) => outbox.stateOf(order)));
      await expect
        .poll(async () => new Set((await states()).filter((state) => state !== 'completed' && state !== 'cancelled')))
        .toEqual(new Set());
      const ends = await states();
      // Where it was cut off, its agent may not have begun with it.
      const allowed = { completed: [1], cancelled: [0, 1] } as Readonly<Record<string, readonly number[]>>;
      for (const [at, { content }] of orders.entries())
        expect(allowed[ends[at] ?? ''], content).toContain(of('ran', content).length);
      // What the killed host drove, at most one message of each session.
      expect(ends.filter((state) => state === 'cancelled').length).toBeLessThanOrEqual(sessions.length);
      for (const session of sessions) {
        const ran = seen.filter(({ kind, content }) => kind === 'ran' && content.startsWith(`${session},`));
        expect(ran.map(({ content }) => content)).toEqual(ran.map(({ content }) => content).toSorted());
        const drivers = ran.map(({ host }) => host).filter((host, index, all) => host !== all[index - 1]);
        expect(new Set(drivers).size).toBe(drivers.length);
      }
      expect(new Set(seen.flatMap(({ kind, host }) => (kind === 'ran' ? [host] : []))).size).toBe(3);
      expect(seen.filter(({ kind }) => kind === 'failed')).toEqual([]);
    } finally {
      await Promise.all(hosts.map((host) => host.end()));
    }
  });
});
