import { assert } from './assert.ts';
import { AbortError } from '@hexagent/ports';
import { connected, reach, readAll, within, type TransportPromises } from './transport-fixture.ts';
import { isChannelClosed } from './transport-exit.ts';

/** The promise is 2.5 s; the rest is for a busy machine. */
const bound = 4000;

/** What is promised when this side closes the connection. */
export const closing: TransportPromises = {
  'ends the reader at once, and reports in the exit that it was closed': async (fixture) => {
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

  'does not report an agent as closed that had exited by itself': async (fixture) => {
    const connection = await reach(fixture.exiting());
    await readAll(connection);
    await connection.exit;
    await within(bound, 'close()', connection.close());
    assert.equal((await connection.exit).closed, false);
  },

  'ends an agent that neither reads nor exits': async (fixture) => {
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
  'keeps `send()` pending while the agent does not read, and rejects it when the line could not be written': async (
    fixture,
  ) => {
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

/** What is promised when the signal aborts. */
export const aborting: TransportPromises = {
  'rejects with an AbortError that has the reason when aborted before it begins': async (fixture) => {
    const reason = new Error('Enough.');
    await assert.rejects(reach(fixture.echoing(), AbortSignal.abort(reason)), (error: unknown) => {
      assert.ok(error instanceof AbortError);
      assert.equal(error.cause, reason);
      return true;
    });
  },

  'rejects with an AbortError when aborted while connecting, or is connected': async (fixture) => {
    const aborting = new AbortController();
    const connecting = reach(fixture.echoing(), aborting.signal);
    aborting.abort();
    const outcome = await connecting.catch((error: unknown) => error);
    // A transport that connects at once may have been faster than the abort.
    if (!(outcome instanceof Error)) await (await connecting).close();
    else assert.ok(outcome instanceof AbortError);
  },

  'ignores the signal once it is connected': async (fixture) => {
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
