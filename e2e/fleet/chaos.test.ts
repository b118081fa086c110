import { expect, it } from 'vitest';
import { serverKinds } from '../postgres/servers.ts';
import { startDatabase } from './chaos/database.ts';
import { openNetwork } from './chaos/network.ts';
import { runSeed } from './chaos/run-seed.ts';

const [kind] = serverKinds;

it.skipIf(kind === undefined)('A replica without the last commits takes the place of the database', async () => {
  await using server = await startDatabase(kind!, undefined);
  const seed = 1;
  const { violations, evidence } = await runSeed(seed, {
    server,
    network: undefined,
    sessions: 12,
    messages: 36,
    kinds: ['replica', 'database'],
    faults: 2,
    // The second one begins while the first one has stopped the database.
    everyMs: 1500,
    withinMs: 90_000,
  });
  expect(violations, `node --conditions=@hexagent/source e2e/fleet/chaos.ts --kinds replica,database`).toEqual([]);
  expect(evidence.losses.flatMap(({ journal }) => journal).length).toBeGreaterThan(0);
});

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
