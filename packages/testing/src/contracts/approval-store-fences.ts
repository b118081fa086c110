import { assert } from './assert.ts';
import { answered, approval, idsOf, reopened, settle, type ApprovalPromises } from './approval-store-fixture.ts';
import { hasCode } from './has-code.ts';

export const fences: ApprovalPromises = {
  'refuses a record under a lower fence than before, and keeps nothing of it': async (store) => {
    await store.add(approval('one'), 5);
    await store.add(approval('two'), 5);
    await assert.rejects(store.add(approval('three'), 4), hasCode('LEASE_LOST'));
    await store.add(approval('four'), 6);
    await assert.rejects(store.add(approval('five'), 5), hasCode('LEASE_LOST'));
    assert.deepEqual(await idsOf(store), ['one', 'two', 'four']);
    assert.equal(await store.get('three'), undefined);
  },

  'takes a record of another session under any fence, and one without a fence': async (store) => {
    await store.add(approval('one'), 5);
    await store.add(approval('two', { session: 'other' }), 1);
    await store.add(approval('three'));
    assert.deepEqual(await idsOf(store), ['one', 'two', 'three']);
  },

  'settles a record that was added under an older fence': async (store) => {
    await store.add(approval('one'), 1);
    await store.add(approval('two'), 2);
    assert.equal((await settle(store, 'one', answered('ada'))).outcome, 'settled');
  },
};

export const fencesAfterRestart: ApprovalPromises = {
  'refuses a lower fence, also where its records are settled': async (store, { reopen }) => {
    await store.add(approval('one'), 2);
    await settle(store, 'one', answered('ada'));
    const later = await reopened(reopen);
    await assert.rejects(later.add(approval('two'), 1), hasCode('LEASE_LOST'));
    await later.add(approval('two'), 3);
    assert.deepEqual(await idsOf(later, { state: 'open' }), ['two']);
  },
};
