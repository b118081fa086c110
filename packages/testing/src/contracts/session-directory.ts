import { assert } from './assert.ts';
import type { SessionDirectory, SessionQuery, SessionRecord } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { SessionDirectoryFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/** What every `SessionDirectory` promises: the records are there as they were put, also after a restart. */
export function sessionDirectoryContract(runner: Runner, fixture: SessionDirectoryFixture): void {
  const limited = limitedRunner('sessionDirectoryContract', runner, fixture);
  limited.describe('SessionDirectory contract', () => runPromises(limited, fixture, { always, durable }));
}

const record = (id: string, fields: Partial<SessionRecord> = {}): SessionRecord => ({
  id,
  sessionId: '11111111-2222-4333-8444-555555555555',
  begun: 'no',
  createdAt: 1_700_000_000_000,
  updatedAt: 1_700_000_000_001,
  facts: {},
  ...fields,
});

async function idsOf(store: SessionDirectory, query?: SessionQuery): Promise<readonly string[]> {
  return (await store.list(query)).map(({ id }) => id).toSorted();
}

/** The ids of all records, read in pages. `between` is called after the first page. */
async function pagesOf(
  store: SessionDirectory,
  query: SessionQuery & { readonly limit: number },
  between: () => Promise<void> = async () => {},
): Promise<readonly string[]> {
  const first = await store.list(query);
  await between();
  const ids = first.map(({ id }) => id);
  for (let before = first.at(-1); before !== undefined;) {
    const page = await store.list({ ...query, before });
    assert.ok(page.length <= query.limit, `a page of ${query.limit} has ${page.length} records`);
    for (const { id } of page) assert.ok(!ids.includes(id), `${id} is on two pages`);
    ids.push(...page.map(({ id }) => id));
    before = page.at(-1);
  }
  return ids;
}

const always: Readonly<Record<string, KeepPromise<SessionDirectory>>> = {
  async 'returns a record as it was put'(store) {
    const facts = { cwd: '/a folder', nested: { list: [1, null, 'é 😀 \u2028'], '': false } };
    const odd = record('an id / of .. the application 😀', { tenant: 'tenant / one', facts });
    await store.put(odd, 1);
    assert.deepEqual(await store.get(odd.id), odd);
    assert.deepEqual(await store.list(), [odd]);
  },

  async 'has no record for an id that was never put'(store) {
    assert.equal(await store.get('a'), undefined);
    assert.deepEqual(await store.list(), []);
    await store.put(record('b'), 1);
    assert.equal(await store.get('a'), undefined);
  },

  async 'distinguishes ids that differ in case, or are part of each other'(store) {
    for (const id of ['a', 'A', 'a/b', 'a b', '..']) await store.put(record(id, { facts: { id } }), 1);
    for (const id of ['a', 'A', 'a/b', 'a b', '..']) assert.deepEqual((await store.get(id))?.facts, { id });
    assert.equal((await store.list()).length, 5);
  },

  async 'replaces the record of the same id'(store) {
    await store.put(record('a', { facts: { old: true } }), 1);
    await store.put(record('a', { begun: 'yes' }), 1);
    assert.deepEqual(await store.list(), [record('a', { begun: 'yes' })]);
  },

  async 'lists the records of one tenant'(store) {
    await store.put(record('a', { tenant: 'one' }), 1);
    await store.put(record('b', { tenant: 'two' }), 1);
    await store.put(record('c'), 1);
    assert.deepEqual(await idsOf(store, { tenant: 'one' }), ['a']);
    assert.deepEqual(await idsOf(store), ['a', 'b', 'c']);
  },

  async 'lists the records of some ids, in the order of the list, and leaves out what is not there'(store) {
    const ids = ['b', 'é / 😀', "it's"];
    for (const [at, id] of ['a', ...ids].entries()) await store.put(record(id, { updatedAt: at, tenant: id }), 1);
    const listed = async (query: SessionQuery): Promise<readonly string[]> =>
      (await store.list(query)).map(({ id }) => id);
    assert.deepEqual(await listed({ ids: [...ids, 'c', 'b'] }), ids.toReversed());
    assert.deepEqual(await listed({ ids, tenant: 'b' }), ['b']);
    assert.deepEqual(await listed({ ids, limit: 1 }), ["it's"]);
    assert.deepEqual(await listed({ ids: [] }), []);
  },

  async 'lists the last used first'(store) {
    await store.put(record('a', { updatedAt: 3 }), 1);
    await store.put(record('b', { updatedAt: 1 }), 1);
    await store.put(record('c', { updatedAt: 2 }), 1);
    const ids = async (): Promise<readonly string[]> => (await store.list()).map(({ id }) => id);
    assert.deepEqual(await ids(), ['a', 'c', 'b']);
    await store.put(record('b', { updatedAt: 4 }), 1);
    assert.deepEqual(await ids(), ['b', 'a', 'c']);
  },

  async 'lists a page, and the page behind a record: each record once, also those of one time'(store) {
    const times = { a: 5, B: 5, 'c 😀': 5, d: 4, e: 6, 'f/': 4, g: 5 };
    for (const [id, updatedAt] of Object.entries(times)) await store.put(record(id, { updatedAt, tenant: 'one' }), 1);
    await store.put(record('of another', { updatedAt: 5, tenant: 'two' }), 1);
    const all = (await store.list({ tenant: 'one' })).map(({ id }) => id);
    assert.deepEqual(all.toSorted(), Object.keys(times).toSorted());
    for (const limit of [1, 2, 3, 6, 7, 8]) assert.deepEqual(await pagesOf(store, { tenant: 'one', limit }), all);
    assert.deepEqual(await store.list({ limit: 0 }), []);
  },

  async 'lists what is behind a record that was used, or taken away, since'(store) {
    for (const [at, id] of ['a', 'b', 'c', 'd', 'e'].entries()) await store.put(record(id, { updatedAt: 9 - at }), 1);
    const used = (id: string): Promise<void> => store.put(record(id, { updatedAt: 10 }), 1);
    assert.deepEqual(await pagesOf(store, { limit: 2 }, () => used('b')), ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await pagesOf(store, { limit: 2 }, () => store.delete('a', 1)), ['b', 'a', 'c', 'd', 'e']);
    assert.deepEqual(await pagesOf(store, { limit: 2 }, () => used('e')), ['b', 'c', 'd']);
  },

  async 'takes a record away, and nothing else'(store) {
    await store.put(record('a'), 1);
    await store.put(record('b'), 1);
    await store.delete('a', 1);
    await store.delete('a session that never was', 1);
    assert.deepEqual(await idsOf(store), ['b']);
    assert.equal(await store.get('a'), undefined);
  },

  async 'refuses a write under a lower fence than before, and stores nothing of it'(store) {
    await store.put(record('a', { facts: { by: 'the newer' } }), 2);
    await assert.rejects(store.put(record('a'), 1), hasCode('LEASE_LOST'));
    await assert.rejects(store.delete('a', 1), hasCode('LEASE_LOST'));
    assert.deepEqual((await store.get('a'))?.facts, { by: 'the newer' });
    await store.put(record('b'), 1);
  },

  async 'refuses a lower fence also after the record was taken away'(store) {
    await store.put(record('a'), 1);
    await store.delete('a', 2);
    await assert.rejects(store.put(record('a'), 1), hasCode('LEASE_LOST'));
    assert.equal(await store.get('a'), undefined);
    await store.put(record('a'), 3);
    assert.deepEqual(await idsOf(store), ['a']);
  },
};

const durable: Readonly<Record<string, KeepPromise<SessionDirectory>>> = {
  async 'has everything after it was opened again'(store, reopen) {
    await store.put(record('a', { tenant: 'one', facts: { cwd: '/x' } }), 1);
    await store.put(record('b'), 1);
    await store.delete('b', 1);
    const again = await reopen();
    assert.deepEqual(await again.list(), [record('a', { tenant: 'one', facts: { cwd: '/x' } })]);
  },

  async 'refuses a lower fence also where another store was given the higher one'(store, reopen) {
    await store.put(record('a'), 1);
    const again = await reopen();
    await again.put(record('a', { begun: 'yes' }), 2);
    await assert.rejects(store.put(record('a'), 1), hasCode('LEASE_LOST'));
    assert.equal((await again.get('a'))?.begun, 'yes');
  },
};
