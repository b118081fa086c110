import { assert } from './assert.ts';
import type { OutboxAnswer, OutboxStore } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { OutboxStoreFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `OutboxStore` promises: a message is stored once, in its order, and never goes back. */
export function outboxStoreContract(runner: Runner, fixture: OutboxStoreFixture): void {
  const limited = limitedRunner('outboxStoreContract', runner, fixture);
  const { keepsFinished = 1000 } = fixture;
  const kept = (store: OutboxStore): Promise<void> => keepsLastFinished(store, keepsFinished);
  limited.describe('OutboxStore contract', () =>
    runPromises(limited, fixture, {
      always: { ...always, 'recognizes the messages that were finished last, and counts all of them': kept },
      durable,
    }),
  );
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

const accepted = (number: number): OutboxAnswer => ({ kind: 'accepted', number });

async function claimableOf(store: OutboxStore): Promise<readonly string[]> {
  const sessions: string[] = [];
  for await (const session of store.claimable()) sessions.push(session);
  return sessions;
}

async function keepsLastFinished(store: OutboxStore, count: number): Promise<void> {
  for (let number = 1; number <= count + 2; number += 1) {
    assert.deepEqual(await store.enqueue(message(number)), accepted(number));
    await store.mark(message(number), number % 2 === 0 ? 'completed' : 'cancelled', 1);
  }
  for (let number = count + 2; number > 2; number -= 1)
    assert.equal(await store.stateOf(message(number)), number % 2 === 0 ? 'completed' : 'cancelled');
  assert.deepEqual(await store.enqueue(message(count + 3)), accepted(count + 3));
}

async function pendingOf(store: OutboxStore, session = 'a'): Promise<readonly (readonly [string, string])[]> {
  return (await store.pending(session)).map(({ uuid, state }) => [uuid, state]);
}

const always: Readonly<Record<string, KeepPromise<OutboxStore>>> = {
  async 'keeps messages in the order in which they were stored, and numbers them'(store) {
    for (const [at, number] of [3, 1, 2].entries())
      assert.deepEqual(await store.enqueue(message(number)), accepted(at + 1));
    assert.deepEqual(
      (await store.pending('a')).map(({ uuid, state, number }) => [uuid, state, number]),
      [
        [uuidOf(3), 'queued', 1],
        [uuidOf(1), 'queued', 2],
        [uuidOf(2), 'queued', 3],
      ],
    );
  },

  async 'counts the messages of each session, those that are finished too and no duplicate'(store) {
    assert.deepEqual(await store.enqueue(message(1)), accepted(1));
    await store.mark(message(1), 'completed', 1);
    assert.deepEqual(await store.enqueue(message(2)), accepted(2));
    for (const number of [1, 2]) assert.equal((await store.enqueue(message(number))).kind, 'duplicate');
    assert.deepEqual(await store.enqueue(message(1, 'b')), accepted(1));
    await store.mark(message(2), 'started', 1);
    assert.deepEqual(await store.enqueue(message(3)), accepted(3));
    assert.deepEqual(
      (await store.pending('a')).map(({ state, number }) => [state, number]),
      [
        ['started', 2],
        ['queued', 3],
      ],
    );
  },

  async 'numbers messages that come at once in the order in which it lists them'(store) {
    const count = 10;
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => store.enqueue(message(index + 1))));
    const numbers = answers.map((answer) => (answer.kind === 'accepted' ? answer.number : 0));
    assert.deepEqual(
      numbers.toSorted((one, other) => one - other),
      Array.from({ length: count }, (_, index) => index + 1),
    );
    const listed = (await store.pending('a')).map(({ uuid, number }) => [uuid, number]);
    const byNumber = numbers.map((number, index) => [uuidOf(index + 1), number] as const);
    assert.deepEqual(
      listed,
      byNumber.toSorted(([, one], [, other]) => one - other),
    );
  },

  async 'returns what was stored as it was'(store) {
    const input = {
      content: [{ type: 'text' as const, text: 'é 😀 \n " \\ \u2028 \u0007 \ud83d' }],
      priority: 'next' as const,
      fields: { deep: { list: [[], {}, null, 1e21] } },
    };
    await store.enqueue({ ...message(1, 'an id / of .. the application 😀'), input });
    assert.deepEqual(await store.pending('an id / of .. the application 😀'), [
      { session: 'an id / of .. the application 😀', uuid: uuidOf(1), input, state: 'queued', number: 1 },
    ]);
  },

  async 'stores a uuid once for each session, and returns the state of the first'(store) {
    await store.enqueue(message(1));
    const again = { ...message(1), input: { content: 'another text' } };
    assert.deepEqual(await store.enqueue(again), { kind: 'duplicate', state: 'queued' });
    assert.deepEqual((await store.pending('a'))[0]?.input, message(1).input);
    assert.deepEqual(await store.enqueue(message(1, 'b')), accepted(1));
  },

  async 'recognizes the uuid of a finished message'(store) {
    await store.enqueue(message(1));
    await store.mark(message(1), 'completed', 1);
    assert.deepEqual(await store.enqueue(message(1)), { kind: 'duplicate', state: 'completed' });
    assert.deepEqual(await pendingOf(store), []);
  },

  async 'stores one of two that come at once'(store) {
    const answers = await Promise.all([store.enqueue(message(1)), store.enqueue(message(1))]);
    assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), ['accepted', 'duplicate']);
    assert.equal((await store.pending('a')).length, 1);
  },

  async 'moves a message on, and never back'(store) {
    await store.enqueue(message(1));
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
    assert.deepEqual(await store.enqueue(message(1)), accepted(1));
  },

  async 'lists each session that has anything pending, the longest waiting first'(store) {
    assert.deepEqual(await claimableOf(store), []);
    for (const [number, session] of [
      [1, 'a'],
      [2, 'b'],
      [3, 'b'],
      [4, 'a'],
      [5, 'c'],
      [6, 'd'],
    ] as const)
      await store.enqueue(message(number, session));
    await store.mark(message(5, 'c'), 'completed', 1);
    assert.deepEqual(await claimableOf(store), ['a', 'b', 'd']);
    await store.mark(message(2, 'b'), 'started', 1);
    await store.mark(message(1, 'a'), 'completed', 1);
    assert.deepEqual(await claimableOf(store), ['b', 'a', 'd']);
  },

  async 'refuses a mark and a delete under a lower fence than before, and stores nothing of it'(store) {
    await store.enqueue(message(1));
    await store.mark(message(1), 'sent', 2);
    await assert.rejects(store.mark(message(1), 'started', 1), hasCode('LEASE_LOST'));
    await assert.rejects(store.delete('a', 1), hasCode('LEASE_LOST'));
    assert.deepEqual(await pendingOf(store), [[uuidOf(1), 'sent']]);
    await store.mark(message(1, 'b'), 'sent', 1);
  },

  async 'deletes a session, and no other'(store) {
    await store.enqueue(message(1, 'a'));
    await store.enqueue(message(2, 'b'));
    await store.delete('a', 2);
    assert.deepEqual(await store.pending('a'), []);
    assert.equal(await store.stateOf(message(1, 'a')), undefined);
    assert.deepEqual(await claimableOf(store), ['b']);
    assert.equal((await store.enqueue(message(1, 'a'))).kind, 'accepted');
    await store.delete('a session that never was', 1);
  },
};

const durable: Readonly<Record<string, KeepPromise<OutboxStore>>> = {
  async 'has everything after it was opened again'(store, reopen) {
    for (const number of [1, 2, 3]) await store.enqueue(message(number));
    await store.enqueue(message(4, 'b'));
    await store.mark(message(1), 'completed', 1);
    await store.mark(message(2), 'started', 1);
    const again = await reopen();
    assert.deepEqual(await again.pending('a'), [
      { ...message(2), state: 'started', number: 2 },
      { ...message(3), state: 'queued', number: 3 },
    ]);
    assert.deepEqual(await claimableOf(again), ['a', 'b']);
    assert.deepEqual(await again.enqueue(message(1)), { kind: 'duplicate', state: 'completed' });
    assert.deepEqual(await again.enqueue(message(5)), accepted(4));
  },

  async 'counts on where everything is finished and it was opened again'(store, reopen) {
    for (const number of [1, 2]) {
      await store.enqueue(message(number));
      await store.mark(message(number), 'completed', 1);
    }
    assert.deepEqual(await (await reopen()).enqueue(message(3)), accepted(3));
  },

  async 'numbers the messages of two stores over the same place as those of one'(store, reopen) {
    const again = await reopen();
    for (const number of [1, 2, 3, 4])
      assert.deepEqual(await (number % 2 === 0 ? again : store).enqueue(message(number)), accepted(number));
    assert.deepEqual(await store.pending('a'), await again.pending('a'));
  },

  async 'refuses a lower fence also where another store was given the higher one'(store, reopen) {
    await store.enqueue(message(1));
    const again = await reopen();
    await again.mark(message(1), 'sent', 2);
    await assert.rejects(store.mark(message(1), 'started', 1), hasCode('LEASE_LOST'));
    assert.deepEqual(await pendingOf(again), [[uuidOf(1), 'sent']]);
  },
};
