import { expect, it } from 'vitest';
import { serverKinds } from '../postgres/servers.ts';
import { startDatabase } from './chaos/database.ts';
import { openNetwork } from './chaos/network.ts';
import { runSeed } from './chaos/run-seed.ts';

const [kind] = serverKinds;

it.skipIf(kind === undefined)(
  'A fleet under faults runs each message once, in order, by one agent at a time',
  async () => {
    using network = openNetwork();
    await using server = await startDatabase(kind!, network);
    const seed = 22;
    const { violations, faults, answers } = await runSeed(seed, {
      server,
      network,
      sessions: 40,
      messages: 120,
      faults: 4,
      everyMs: 2500,
      withinMs: 90_000,
    });
    const cut = network === undefined ? 'Nothing is cut: SKIPPED, that needs root and network namespaces. ' : '';
    const done = faults.map(({ kind }) => kind).join(', ');
    console.log(`${cut}seed ${seed}: ${done}`);
    expect(violations, `node --conditions=@hexagent/source e2e/fleet/chaos.ts --seeds 1 --from ${seed}`).toEqual([]);
    expect(answers.get('POST 200')).toBeGreaterThan(0);
  },
);
