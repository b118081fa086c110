import assert from 'node:assert/strict';
import type { OutboxStore } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { OutboxStoreFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `OutboxStore` promises: a message is stored once, in its order, and never goes back. */
export function outboxStoreContract(runner: Runner, fixture: OutboxStoreFixture): void {
  const limited = limitedRunner('outboxStoreContract', runner, fixture);
  limited.describe('OutboxStore contract', () => runPromises(limited, fixture, { always, durable }));
}

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const message = (
  number: number,
  session = 'a',
): { readonly session: string; readonly uuid: string; readonly input: { readonly content: string } } => ({
  session,
  uuid: uuidOf(number),
  input: { content: `message ${number}` },
});

async function pendingOf(store: OutboxStore, session = 'a'): Promise<readonly (readonly [string, string])[]> {
  return (await store.pending(session)).map(({ uuid, state }) => [uuid, state]);
}

const always: Readonly<Record<string, KeepPromise<OutboxStore>>> = {
  async 'keeps messages in the order in which they were stored'(store) {
    for (const number of [3, 1, 2]) assert.deepEqual(await store.enqueue(message(number), 1), { kind: 'accepted' });
    assert.deepEqual(await pendingOf(store), [
      [uuidOf(3), 'queued'],
      [uuidOf(1), 'queued'],
      [uuidOf(2), 'queued'],
    ]);
  },

  async 'returns what was stored as it was'(store) {
    const input = {
      content: [{ type: 'text' as const, text: 'é 😀 \n " \\ \u2028 \u0007 \ud83d' }],
      priority: 'next' as const,
      fields: { deep: { list: [[], {}, null, 1e21] } },
    };
    await store.enqueue({ ...message(1, 'an id / of .. the application 😀'), input }, 1);
    assert.deepEqual(await store.pending('an id / of .. the application 😀'), [
      { session: 'an id / of .. the application 😀', uuid: uuidOf(1), input, state: 'queued' },
    ]);
  },

  async 'stores a uuid once for each session, and returns the state of the first'(store) {
    await store.enqueue(message(1), 1);
    const again = { ...message(1), input: { content: 'another text' } };
    assert.deepEqual(await store.enqueue(again, 1), { kind: 'duplicate', state: 'queued' });
    assert.deepEqual((await store.pending('a'))[0]?.input, message(1).input);
    assert.deepEqual(await store.enqueue(message(1, 'b'), 1), { kind: 'accepted' });
  },

  async 'recognizes the uuid of a finished message'(store) {
    await store.enqueue(message(1), 1);
    await store.mark(message(1), 'completed', 1);
    assert.deepEqual(await store.enqueue(message(1), 1), { kind: 'duplicate', state: 'completed' });
    assert.deepEqual(await pendingOf(store), []);
  },

  async 'stores one of two that come at once'(store) {
    const answers = await Promise.all([store.enqueue(message(1), 1), store.enqueue(message(1), 1)]);
    assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), ['accepted', 'duplicate']);
    assert.equal((await store.pending('a')).length, 1);
  },

  async 'moves a message on, and never back'(store) {
    await store.enqueue(message(1), 1);
    for (const state of ['sent', 'started', 'sent', 'queued'] as const) await store.mark(message(1), state, 1);
    assert.deepEqual(await pendingOf(store), [[uuidOf(1), 'started']]);
    await store.mark(message(1), 'cancelled', 1);
    await store.mark(message(1), 'completed', 1);
    assert.equal(await store.stateOf(message(1)), 'cancelled');
  },

  async 'takes a mark for a message it never had without an error'(store) {
    await store.mark(message(9), 'started', 1);
    assert.equal(await store.stateOf(message(9)), undefined);
    assert.deepEqual(await pendingOf(store), []);
  },

  async 'lists the sessions that have anything pending'(store) {
    assert.deepEqual(await store.unfinished(), []);
    await store.enqueue(message(1, 'a'), 1);
    await store.enqueue(message(2, 'b'), 1);
    await store.enqueue(message(3, 'b'), 1);
    await store.mark(message(1, 'a'), 'completed', 1);
    assert.deepEqual(await store.unfinished(), ['b']);
  },

  async 'refuses what comes under a lower fence than before, and stores nothing of it'(store) {
    await store.enqueue(message(1), 2);
    await assert.rejects(store.enqueue(message(2), 1), hasCode('LEASE_LOST'));
    await assert.rejects(store.mark(message(1), 'started', 1), hasCode('LEASE_LOST'));
    await assert.rejects(store.delete('a', 1), hasCode('LEASE_LOST'));
    assert.deepEqual(await pendingOf(store), [[uuidOf(1), 'queued']]);
    await store.enqueue(message(2, 'b'), 1);
  },

  async 'deletes a session, and no other'(store) {
    await store.enqueue(message(1, 'a'), 1);
    await store.enqueue(message(2, 'b'), 1);
    await store.delete('a', 2);
    assert.deepEqual(await store.pending('a'), []);
    assert.equal(await store.stateOf(message(1, 'a')), undefined);
    assert.deepEqual(await store.unfinished(), ['b']);
    assert.deepEqual(await store.enqueue(message(1, 'a'), 2), { kind: 'accepted' });
    await store.delete('a session that never was', 1);
  },
};

const durable: Readonly<Record<string, KeepPromise<OutboxStore>>> = {
  async 'has everything after it was opened again'(store, reopen) {
    for (const number of [1, 2, 3]) await store.enqueue(message(number), 1);
    await store.mark(message(1), 'completed', 1);
    await store.mark(message(2), 'started', 1);
    const again = await reopen();
    assert.deepEqual(await pendingOf(again), [
      [uuidOf(2), 'started'],
      [uuidOf(3), 'queued'],
    ]);
    assert.deepEqual(await again.unfinished(), ['a']);
    assert.deepEqual(await again.enqueue(message(1), 2), { kind: 'duplicate', state: 'completed' });
  },

  async 'refuses a lower fence also where another store was given the higher one'(store, reopen) {
    await store.enqueue(message(1), 1);
    const again = await reopen();
    await again.mark(message(1), 'sent', 2);
    await assert.rejects(store.enqueue(message(2), 1), hasCode('LEASE_LOST'));
    assert.deepEqual(await pendingOf(again), [[uuidOf(1), 'sent']]);
  },
};
