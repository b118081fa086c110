import { assert } from './assert.ts';
import { microtasks } from '../doubles/microtasks.ts';
import { add, begin, failureOf, simple, slow, text, type McpServerPromises } from './mcp-server-fixture.ts';
import { assertMatches, track } from './matching.ts';

/** Resolves when it aborts; a test that waits for it in vain runs into its time limit. */
const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

export const calls: McpServerPromises = {
  'runs calls concurrently': async (fixture) => {
    const { tool, started, release } = slow();
    const { call } = await begin(fixture, add, tool);
    const waiting = call('slow');
    await started;
    assertMatches(await call('add', { a: 1, b: 1 }), { result: text('2') });
    release();
    assertMatches(await waiting, { result: text('done') });
  },

  'gives each of a hundred concurrent calls its own answer': async (fixture) => {
    const { call } = await begin(fixture, add);
    const numbers = Array.from({ length: 100 }, (_, index) => index);
    const replies = await Promise.all(numbers.map((b) => call('add', { a: 0, b })));
    for (const [index, reply] of replies.entries()) assertMatches(reply, { result: text(String(index)) });
  },

  'refuses a second request with an id that is in use, and answers the first': async (fixture) => {
    const { tool, started, release } = slow();
    const { call } = await begin(fixture, add, tool);
    const first = call('slow', {}, { id: 'same' });
    await started;
    assert.equal((await call('add', { a: 1, b: 1 }, { id: 'same' })).error?.code, -32_600);
    release();
    assertMatches(await first, { result: text('done') });
  },

  'forwards progress while a tool runs': async (fixture) => {
    const report = simple('report', async (_, { _meta, sendNotification }) => {
      const params = { progressToken: _meta?.['progressToken'], progress: 1 };
      await sendNotification({ method: 'notifications/progress', params });
      return text('done');
    });
    const { ask, received } = await begin(fixture, report);
    const reply = await ask('tools/call', { name: 'report', arguments: {}, _meta: { progressToken: 7 } });
    assertMatches(reply, { result: text('done') });
    assertMatches(received[0], { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 7 } });
  },
};

export const endings: McpServerPromises = {
  'answers a call that the agent cancels, although the tool still runs': async (fixture) => {
    const { tool, started } = slow();
    const { call, notify } = await begin(fixture, tool);
    const answer = call('slow', {}, { id: 'c:1' });
    const { signal } = await started;
    await notify('notifications/cancelled', { requestId: 'c:1', reason: 'AbortError: remote-cancel' });
    assert.match(failureOf(await answer), /cancelled/u);
    await aborted(signal);
  },

  'answers a call whose request the agent withdraws': async (fixture) => {
    const { tool, started } = slow();
    const { call } = await begin(fixture, tool);
    const withdrawal = new AbortController();
    const answer = call('slow', {}, { signal: withdrawal.signal });
    const { signal } = await started;
    withdrawal.abort();
    failureOf(await answer);
    await aborted(signal);
  },

  'does not start a call that was withdrawn before': async (fixture) => {
    const { tool, hasStarted } = slow();
    const { call } = await begin(fixture, tool);
    failureOf(await call('slow', {}, { signal: AbortSignal.abort() }));
    assert.equal(hasStarted(), false);
  },

  'drops what a tool sends or returns after its call was cancelled': async (fixture) => {
    const { tool, started, release } = slow();
    const { call, notify, received, ask } = await begin(fixture, tool);
    const answer = call('slow', {}, { id: 'c:1' });
    const { sendNotification } = await started;
    await notify('notifications/cancelled', { requestId: 'c:1' });
    failureOf(await answer);
    await sendNotification({ method: 'notifications/progress', params: { progressToken: 1, progress: 1 } });
    release();
    await microtasks();
    await ask('ping');
    assert.deepEqual(received, []);
    // The id is free again.
    assertMatches(await ask('ping', undefined, { id: 'c:1' }), { result: {} });
  },

  'leaves a call open while its tool runs, without a deadline of its own': async (fixture) => {
    const { tool, started, release } = slow();
    const { call } = await begin(fixture, tool);
    const answer = call('slow');
    const tracked = track(answer);
    await started;
    await microtasks();
    assert.equal(tracked.settled, false);
    release();
    assertMatches(await answer, { result: text('done') });
  },

  'answers running calls when its session is closed, and requests that arrive later': async (fixture) => {
    const { tool, started } = slow();
    const { call, ask, notify, session } = await begin(fixture, tool);
    const answer = call('slow');
    const { signal } = await started;
    await session.close();
    await session.close();
    assert.equal((await answer).error?.code, -32_000);
    await aborted(signal);
    for (const method of ['tools/list', 'ping', 'initialize'])
      assert.equal((await ask(method)).error?.code, -32_000, method);
    await notify('notifications/initialized');
  },
};
