import { assert } from './assert.ts';
import { SdkError } from '@hexagent/ports';
import { connected, readAll, within, type TransportPromises } from './transport-fixture.ts';

/** What is reported when the agent exits by itself. */
export const exiting: TransportPromises = {
  'resolves `exit` with code, signal and stderr, after the last line': async (fixture) => {
    const output = { lines: ['{"last":1}', '{"last":2}'], stderr: 'The disk is full.', code: 3 };
    await connected(fixture.crashing(output), async (connection) => {
      await connection.send('go');
      assert.deepEqual(await readAll(connection), output.lines);
      const exit = await connection.exit;
      assert.deepEqual([exit.code, exit.signal, exit.closed], [3, null, false]);
      assert.match(exit.stderr, /The disk is full\./);
      assert.equal(exit.unterminated, undefined);
    });
  },

  'reports a last line without an ending in the exit, not among the frames': async (fixture) => {
    await connected(fixture.breakingOff({ whole: '{"n":1}', half: '{"n":2,"text":"gr' }), async (connection) => {
      await connection.send('go');
      assert.deepEqual(await readAll(connection), ['{"n":1}']);
      assert.equal((await connection.exit).unterminated, '{"n":2,"text":"gr');
    });
  },

  'loses nothing when the agent exits while reading is paused': async (fixture) => {
    const lines = Array.from({ length: 100 }, (_, n) => `{"n":${n}}`);
    await connected(fixture.crashing({ lines, stderr: '', code: 0 }), async (connection) => {
      connection.pause();
      await connection.send('go');
      const reading = readAll(connection);
      connection.resume();
      assert.deepEqual(await reading, lines);
      assert.equal((await connection.exit).code, 0);
    });
  },

  'refuses to send with CHANNEL_CLOSED once the agent has exited': async (fixture) => {
    await connected(fixture.exiting(), async (connection) => {
      await readAll(connection);
      assert.equal((await connection.exit).code, 0);
      await assert.rejects(connection.send('{}'), isChannelClosed);
    });
  },

  'refuses to send with CHANNEL_CLOSED after `end()`': async (fixture) => {
    await connected(fixture.echoing(), async (connection) => {
      void connection.end();
      await assert.rejects(connection.send('{}'), isChannelClosed);
    });
  },

  'lets `end()` be called twice, and after the agent has exited': async (fixture) => {
    await connected(fixture.exiting(), async (connection) => {
      await within(5000, 'end()', Promise.all([connection.end(), connection.end()]));
      await readAll(connection);
      await connection.exit;
      await within(5000, 'end() after the exit', connection.end());
    });
  },
};

export function isChannelClosed(error: unknown): boolean {
  return SdkError.is(error) && error.code === 'CHANNEL_CLOSED';
}
