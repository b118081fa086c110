import { assert } from './assert.ts';
import { connected, readAll, readSome, within, type TransportPromises } from './transport-fixture.ts';

/** How lines are sent and delivered. */
export const lines: TransportPromises = {
  'delivers lines whole and in the order sent': async (fixture) => {
    const sent = ['{"n":1}', '', '{"text":"grüß dich 👋"}', `{"text":"${'é👋'.repeat(100_000)}"}`, '{"n":2}'];
    await connected(fixture.echoing(), async (connection) => {
      for (const line of sent) await connection.send(line);
      await connection.end();
      assert.deepEqual(await readAll(connection), sent);
    });
  },

  'keeps the order of lines that were sent without waiting': async (fixture) => {
    const sent = Array.from({ length: 1000 }, (_, n) => `{"n":${n}}`);
    await connected(fixture.echoing(), async (connection) => {
      const sending = sent.map((line) => connection.send(line));
      void connection.end();
      assert.deepEqual(await readAll(connection), sent);
      await Promise.all(sending);
    });
  },

  'delivers batches that are never empty': async (fixture) => {
    await connected(fixture.talkative({ count: 2000, pad: 50 }), async (connection) => {
      await connection.send('go');
      void connection.end();
      let count = 0;
      for await (const batch of connection.frames) {
        assert.notEqual(batch.length, 0);
        count += batch.length;
      }
      assert.equal(count, 2000);
    });
  },

  'delivers the agent’s lines after `end()`': async (fixture) => {
    await connected(fixture.talkative({ count: 3, pad: 0 }), async (connection) => {
      await connection.send('go');
      await connection.end();
      assert.deepEqual(await readAll(connection), ['{"n":0,"pad":""}', '{"n":1,"pad":""}', '{"n":2,"pad":""}']);
    });
  },

  'loses nothing while paused, and delivers it in order when resumed': async (fixture) => {
    await connected(fixture.talkative({ count: 20_000, pad: 100 }), async (connection) => {
      connection.pause();
      await connection.send('go');
      void connection.end();
      const reading = readAll(connection);
      connection.resume();
      connection.pause();
      connection.resume();
      const lines = await reading;
      assert.equal(lines.length, 20_000);
      assert.ok(lines.every((line, n) => line.startsWith(`{"n":${n},`)));
    });
  },

  'lets the agent write when its reader has left the loop': async (fixture) => {
    await connected(fixture.talkative({ count: 20_000, pad: 100 }), async (connection) => {
      await connection.send('go');
      await readSome(connection, 1);
      void connection.end();
      assert.equal((await within(10_000, 'the exit', connection.exit)).code, 0);
    });
  },
};
