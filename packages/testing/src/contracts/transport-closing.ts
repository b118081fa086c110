import assert from 'node:assert/strict';
import { AbortError } from '@hexagent/ports';
import { connected, reach, readAll, within, type TransportPromises } from './transport-fixture.ts';
import { isChannelClosed } from './transport-leaving.ts';

/** Everything gone within 2.5 s; the rest is for a machine that is busy. */
const bound = 4000;

/** What holds when this side ends it. */
export const closing: TransportPromises = {
  'ends the reader at once, and says in the exit that it was closed': async (fixture) => {
    const connection = await reach(fixture.echoing());
    const reading = readAll(connection);
    await within(bound, 'close()', connection.close());
    assert.deepEqual(await within(bound, 'the end of the frames', reading), []);
    assert.equal((await connection.exit).closed, true);
  },

  'may be closed twice, at the same time and later': async (fixture) => {
    const connection = await reach(fixture.echoing());
    await within(bound, 'close() twice', Promise.all([connection.close(), connection.close()]));
    await within(bound, 'close() once more', connection.close());
  },

  'does not call an agent closed that had left by itself': async (fixture) => {
    const connection = await reach(fixture.leaving());
    await readAll(connection);
    await connection.exit;
    await within(bound, 'close()', connection.close());
    assert.equal((await connection.exit).closed, false);
  },

  'ends an agent that neither reads nor leaves': async (fixture) => {
    const connection = await reach(fixture.stubborn());
    for await (const batch of connection.frames) if (batch.includes('here')) break;
    await within(bound, 'close()', connection.close());
    assert.equal((await connection.exit).closed, true);
  },

  'discards what is unread': async (fixture) => {
    const connection = await reach(fixture.talkative({ count: 20_000, pad: 100 }));
    await connection.send('go');
    connection.pause();
    await within(bound, 'close()', connection.close());
    assert.deepEqual(await readAll(connection), []);
  },

  'refuses to send with CHANNEL_CLOSED afterwards': async (fixture) => {
    const connection = await reach(fixture.echoing());
    await connection.close();
    await assert.rejects(connection.send('{}'), isChannelClosed);
  },
};

/** For a transport with a `stubborn` agent behind a pipe that fills. */
export const holdingBack: TransportPromises = {
  'holds a sender back while the agent does not read, and refuses what could not be handed over': async (fixture) => {
    const connection = await reach(fixture.stubborn());
    const sending = connection.send('x'.repeat(8 * 1024 * 1024));
    const outcome = sending.then(
      () => 'sent',
      (error: unknown) => error,
    );
    await connection.close();
    assert.ok(isChannelClosed(await within(bound, 'send()', outcome)));
  },
};

/** What holds when somebody aborts. */
export const aborting: TransportPromises = {
  'rejects with an AbortError that carries the reason when aborted before it begins': async (fixture) => {
    const reason = new Error('Enough.');
    await assert.rejects(reach(fixture.echoing(), AbortSignal.abort(reason)), (error: unknown) => {
      assert.ok(error instanceof AbortError);
      assert.equal(error.cause, reason);
      return true;
    });
  },

  'rejects with an AbortError when aborted while connecting, or stands': async (fixture) => {
    const aborting = new AbortController();
    const connecting = reach(fixture.echoing(), aborting.signal);
    aborting.abort();
    const outcome = await connecting.catch((error: unknown) => error);
    // A transport that connects at once may have been faster than the abort.
    if (!(outcome instanceof Error)) await (await connecting).close();
    else assert.ok(outcome instanceof AbortError);
  },

  'needs the signal no longer once it is connected': async (fixture) => {
    const aborting = new AbortController();
    const agent = fixture.echoing();
    await connected(
      {
        transport: { connect: (launch) => agent.transport.connect(launch, { signal: aborting.signal }) },
        launch: agent.launch,
      },
      async (connection) => {
        aborting.abort();
        await connection.send('{"still":"here"}');
        void connection.end();
        assert.deepEqual(await readAll(connection), ['{"still":"here"}']);
      },
    );
  },
};
