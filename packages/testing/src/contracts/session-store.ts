import { assert } from './assert.ts';
import { isDeepStrictEqual } from 'node:util';
import type { SessionStore } from '@hexagent/ports';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import {
  entry,
  loaded,
  main,
  ofSubagent,
  other,
  project,
  uuidsOf,
  type SessionStoreFixture,
  type StorePromise,
  type StorePromises,
  type StoreUnderTest,
} from './session-store-fixture.ts';
import { deleting, listing, summaries } from './session-store-lists.ts';

/** What every `SessionStore` promises. Run it against yours; a pass means that sessions can be kept in it and resumed from it. */
export function sessionStoreContract(runner: Runner, fixture: SessionStoreFixture): void {
  const { describe, it } = limitedRunner('sessionStoreContract', runner, fixture);
  const run = (promises: StorePromises) => (): void => {
    for (const [name, promise] of Object.entries(promises))
      (canKeep(fixture, promise) ? it : it.skip)(name, () => keep(fixture, promise));
  };
  describe('SessionStore contract', () => {
    describe('Entries', run(entries));
    describe('Transcripts', run(transcripts));
    describe('Lists', run(listing));
    describe('Summaries', run(summaries));
    describe('Deleting', run(deleting));
  });
}

const odd = {
  text: 'é 😀 \n " \\ \u2028 \u0007',
  empty: '',
  nothing: null,
  numbers: [0, -1.5, 1e21, 9_007_199_254_740_991],
  deep: { list: [[], {}, [{ a: [null, false, true] }]] },
  'a key with spaces': { '': 'an empty key', constructor: 'a word of the language' },
};

const entries: StorePromises = {
  'returns entries as they were appended, in order': {
    async keep({ store }) {
      const appended = [entry(1, odd), entry(2), { type: 'an unknown type' }, entry(3, { type: 'assistant' })];
      await store.append(main, appended.slice(0, 3));
      await store.append(main, appended.slice(3));
      assert.deepEqual(await loaded(store, main), appended);
    },
  },

  'returns `null` for a transcript that was never written': {
    async keep({ store }) {
      assert.equal(await store.load(main), null);
      await store.append(other, [entry(1)]);
      assert.equal(await store.load(main), null);
      assert.equal(await store.load({ ...other, subpath: 'subagents/agent-a1' }), null);
    },
  },

  'stores an entry whose `uuid` it has only once': {
    async keep({ store }) {
      await store.append(main, [entry(1), entry(2), entry(1)]);
      await store.append(main, [entry(2), entry(3)]);
      assert.deepEqual(await loaded(store, main), [entry(1), entry(2), entry(3)]);
    },
  },

  'stores an entry without a `uuid` each time': {
    async keep({ store }) {
      const title = { type: 'custom-title', customTitle: 'A' };
      await store.append(main, [title, title]);
      await store.append(main, [title]);
      assert.deepEqual(await loaded(store, main), [title, title, title]);
    },
  },

  'takes an empty list': {
    async keep({ store }) {
      await store.append(main, [entry(1)]);
      await store.append(main, []);
      assert.deepEqual(await loaded(store, main), [entry(1)]);
    },
  },

  'takes thousands of entries, and one of two megabytes': {
    async keep({ store }) {
      const many = Array.from({ length: 3000 }, (_, index) => entry(index));
      await store.append(main, many);
      await store.append(main, [entry(5000, { text: 'x'.repeat(2_000_000) })]);
      const stored = await loaded(store, main);
      // The difference of two long lists takes the runner a minute to show.
      assert.ok(
        isDeepStrictEqual(JSON.parse(JSON.stringify(stored.slice(0, -1))), many),
        'they are not what was appended',
      );
      assert.equal(String(stored.at(-1)?.['text']).length, 2_000_000);
    },
  },

  'keeps what it was given when the caller changes that, or what it loaded': {
    async keep({ store }) {
      const list = [1];
      const given = [entry(1, { list })];
      await store.append(main, given);
      list.push(2);
      given.pop();
      for (const stored of await loaded(store, main)) Object.assign(stored, { list: 'changed' });
      assert.deepEqual(await loaded(store, main), [entry(1, { list: [1] })]);
    },
  },
};

const transcripts: StorePromises = {
  'keeps projects, sessions and subpaths apart': {
    async keep({ store }) {
      const keys = [
        main,
        other,
        ofSubagent,
        { ...main, subpath: 'subagents/agent-a10' },
        { ...main, subpath: 'subagents' },
        { ...main, projectKey: `${project}-2` },
        { ...main, projectKey: project.toUpperCase() },
        { ...ofSubagent, projectKey: `${project}-2` },
      ];
      for (const [index, key] of keys.entries()) await store.append(key, [entry(0), entry(index + 1)]);
      for (const [index, key] of keys.entries())
        assert.deepEqual(await loaded(store, key), [entry(0), entry(index + 1)], JSON.stringify(key));
    },
  },

  'loses nothing where several append at the same time': {
    async keep({ store }) {
      const batches = Array.from({ length: 20 }, (_, index) => [0, 1, 2].map((part) => entry(index * 3 + part)));
      await Promise.all(batches.map((batch) => store.append(main, batch)));
      const stored = await uuidsOf(store, main);
      assert.equal(stored.length, 60);
      for (const batch of batches) {
        const places = batch.map(({ uuid }) => stored.indexOf(uuid));
        assert.ok(!places.includes(-1), 'an entry is missing');
        assert.deepEqual(
          places,
          places.toSorted((one, two) => one - two),
          'the entries of one call are not in order',
        );
      }
    },
  },

  'stores an entry once that several append at the same time': {
    async keep({ store }) {
      await Promise.all([1, 2, 3, 4].map(() => store.append(main, [entry(1), entry(2)])));
      assert.deepEqual(await loaded(store, main), [entry(1), entry(2)]);
    },
  },

  'has what was stored for a program that starts later': {
    needs: ['reopen'],
    async keep({ store, reopen }) {
      await store.append(main, [entry(1)]);
      await store.append(ofSubagent, [entry(2)]);
      const later: SessionStore = await reopen();
      assert.deepEqual(await loaded(later, main), [entry(1)]);
      assert.deepEqual(await loaded(later, ofSubagent), [entry(2)]);
      await later.append(main, [entry(1), entry(3)]);
      assert.deepEqual(await loaded(later, main), [entry(1), entry(3)]);
    },
  },
};

function canKeep({ has, fold }: SessionStoreFixture, { needs = [] }: StorePromise): boolean {
  return needs.every((need) => (need === 'fold' ? fold !== undefined : has[need] === true));
}

async function keep({ open, fold }: SessionStoreFixture, promise: StorePromise): Promise<void> {
  const opened = await open();
  try {
    // A promise that needs more than `append` and `load` is tested only where the fixture names what it needs.
    await promise.keep({ ...opened, fold } as StoreUnderTest);
  } finally {
    await opened.close?.();
  }
}
