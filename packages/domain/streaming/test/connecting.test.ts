import { describe, expect, it } from 'vitest';
import type { Connection, Transport } from '@hexagent/ports';
import { Deferred } from '@hexagent/async';
import { HandClock, linkedTransport, microtasks } from '@hexagent/testing';
import { connectOrGiveUp } from '../src/connecting.ts';

const launch = { args: [], env: {}, initialize: {} };

interface Connecting {
  readonly connected: Promise<unknown>;
  readonly aborting: AbortController;
  readonly clock: HandClock;
}

function connect(transport: Transport): Connecting {
  const [aborting, clock] = [new AbortController(), new HandClock()];
  const connected = connectOrGiveUp({ transport, clock }, launch, aborting.signal).catch((error: unknown) => error);
  return { connected, aborting, clock };
}

describe('A transport', () => {
  it('that has connected leaves neither a listener nor a timer behind', async () => {
    const { connected, aborting, clock } = connect(linkedTransport().transport);
    expect(await connected).toHaveProperty('frames');
    aborting.abort();
    expect(clock.waiting).toBe(0);
  });

  it.each<[string, Transport['connect']]>([
    [
      'throws',
      () => {
        throw new Error('Not there.');
      },
    ],
    ['rejects', () => Promise.reject(new Error('Not there.'))],
  ])('rejects with its own error when it %s', async (_, fails) => {
    expect(await connect({ connect: fails }).connected).toEqual(new Error('Not there.'));
  });
});

describe('A transport that does not follow an abort', () => {
  it('is given up after ten seconds, and closed when it connects after all', async () => {
    const late = new Deferred<Connection>();
    const { connected, aborting, clock } = connect({ connect: () => late.promise });
    aborting.abort('why');
    await microtasks();
    clock.advance(10_000);
    expect(await connected).toMatchObject({ name: 'AbortError', cause: 'why' });
    const connection = await linkedTransport().transport.connect(launch);
    let closings = 0;
    late.resolve({ ...connection, close: async () => void (closings += 1) });
    await microtasks();
    expect(closings).toBe(1);
  });
});
