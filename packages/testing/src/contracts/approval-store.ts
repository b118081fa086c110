import { assert } from './assert.ts';
import { fences, fencesAfterRestart } from './approval-store-fences.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import {
  answered,
  approval,
  auditEntry,
  auditOf,
  idsOf,
  reopened,
  settle,
  spoil,
  type ApprovalPromises,
  type ApprovalStoreFixture,
} from './approval-store-fixture.ts';

/** What every `ApprovalStore` promises. Run it against yours; a pass means that approvals can be kept in it. */
export function approvalStoreContract(runner: Runner, fixture: ApprovalStoreFixture): void {
  const { describe, it } = limitedRunner('approvalStoreContract', runner, fixture);
  const run =
    (promises: ApprovalPromises, canKeep = true) =>
    (): void => {
      for (const [name, keep] of Object.entries(promises))
        (canKeep ? it : it.skip)(name, async () => {
          const opened = await fixture.open();
          try {
            await keep(opened.store, opened);
          } finally {
            await opened.close?.();
          }
        });
    };
  describe('ApprovalStore contract', () => {
    describe('Records', run(records));
    describe('Settling', run(settling));
    describe('Audit', run(audit));
    describe('Fences', run(fences));
    describe('After a restart', run({ ...afterRestart, ...fencesAfterRestart }, fixture.isDurable));
  });
}

const full = approval('full', {
  agentId: 'agent-1',
  input: { text: 'é 😀 \n " \\ \u2028 \u0007', deep: [{ a: [null, false, -1.5] }, []], '': 'an empty key' },
  suggestions: [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'ls *' }],
      behavior: 'allow',
      destination: 'localSettings',
    },
  ],
  title: 'a title',
  description: 'a description',
  blockedPath: '/a/path',
  expiresAt: 1_700_000_060_000,
  offered: { id: 'earlier', answer: { behavior: 'deny', message: 'no' }, actor: 'ada', at: 1 },
});

const records: ApprovalPromises = {
  'returns a record as it was added': async (store) => {
    await store.add(full);
    assert.deepEqual(await store.get('full'), full);
    assert.deepEqual(await store.list(), [full]);
  },

  'has no record that was never added': async (store) => {
    assert.equal(await store.get('none'), undefined);
    assert.deepEqual(await store.list(), []);
  },

  'lists records in the order in which they were added': async (store) => {
    for (const id of ['b', 'a', 'c']) await store.add(approval(id));
    await settle(store, 'b', answered('ada'));
    assert.deepEqual(await idsOf(store), ['b', 'a', 'c']);
  },

  'lists the records of a session, a state and a tool': async (store) => {
    await store.add(approval('one'));
    await store.add(approval('two', { session: 'other' }));
    await store.add(approval('three', { tool: 'Write' }));
    await settle(store, 'one', answered('ada'));
    assert.deepEqual(await idsOf(store, { session: 'chat' }), ['one', 'three']);
    assert.deepEqual(await idsOf(store, { state: 'open' }), ['two', 'three']);
    assert.deepEqual(await idsOf(store, { tool: 'Bash' }), ['one', 'two']);
    assert.deepEqual(await idsOf(store, { session: 'chat', state: 'open', tool: 'Write' }), ['three']);
    assert.deepEqual(await idsOf(store, { session: 'chat', state: 'lost' }), []);
  },

  'refuses a second record of the same id, and keeps the first': async (store) => {
    await store.add(approval('one'));
    await assert.rejects(store.add(approval('one', { session: 'other' })), TypeError);
    await settle(store, 'one', answered('ada'));
    await assert.rejects(store.add(approval('one')), TypeError);
    assert.equal((await store.get('one'))?.session, 'chat');
    assert.equal((await store.get('one'))?.state, 'answered');
  },

  'keeps one of several records of the same id that are added at once': async (store) => {
    const added = await Promise.allSettled([1, 2, 3].map((createdAt) => store.add(approval('one', { createdAt }))));
    assert.deepEqual(added.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected', 'rejected']);
    assert.deepEqual(await idsOf(store), ['one']);
  },

  'keeps what it was given when the caller changes that, or what it returned': async (store) => {
    const given = structuredClone(full);
    await store.add(given);
    spoil(given);
    spoil(await store.get('full'));
    spoil(await store.list());
    assert.deepEqual(await store.get('full'), full);
    const settlement = structuredClone(answered('ada'));
    const settled = await store.settle('full', settlement, auditEntry(full, settlement));
    spoil(settlement);
    spoil(settled);
    assert.deepEqual(await store.get('full'), { ...full, ...answered('ada') });
  },

  'takes a record with an input of two megabytes': async (store) => {
    const content = 'é'.repeat(1_000_000);
    await store.add(approval('large', { input: { content } }));
    assert.ok((await store.get('large'))?.input['content'] === content, 'it is not what was added');
  },
};

const settling: ApprovalPromises = {
  'settles an open record, and returns it as it then is': async (store) => {
    await store.add(approval('one'));
    const settlement = answered('ada', { answer: { behavior: 'deny', message: 'no' } });
    const expected = { ...approval('one'), ...settlement };
    assert.deepEqual(await settle(store, 'one', settlement), { outcome: 'settled', record: expected });
    assert.deepEqual(await store.get('one'), expected);
  },

  'settles a record once, and shows the first settlement to the second': async (store) => {
    await store.add(approval('one'));
    await settle(store, 'one', answered('ada'));
    const expected = { ...approval('one'), ...answered('ada') };
    assert.deepEqual(await settle(store, 'one', answered('bob', { settledAt: 9 })), {
      outcome: 'already',
      record: expected,
    });
    assert.deepEqual(await settle(store, 'one', { state: 'expired', settledAt: 9 }), {
      outcome: 'already',
      record: expected,
    });
    assert.deepEqual(await store.get('one'), expected);
  },

  'has one winner of many at the same time, and all others see it': async (store) => {
    await store.add(approval('one'));
    const actors = Array.from({ length: 20 }, (_, index) => `actor ${index}`);
    const outcomes = await Promise.all(actors.map((actor) => settle(store, 'one', answered(actor))));
    const winners = outcomes.flatMap((settled) => (settled.outcome === 'settled' ? [settled.record] : []));
    assert.equal(winners.length, 1);
    for (const settled of outcomes) {
      assert.ok(settled.outcome !== 'unknown');
      assert.deepEqual(settled.record, winners[0]);
    }
  },

  'settles nothing that was never added': async (store) => {
    assert.deepEqual(await settle(store, 'none', answered('ada')), { outcome: 'unknown' });
    assert.equal(await store.get('none'), undefined);
    assert.deepEqual(await auditOf(store), []);
  },

  'ends a record in every state': async (store) => {
    for (const state of ['cancelled', 'expired', 'lost'] as const) {
      await store.add(approval(state));
      const settlement = { state, settledAt: 5, ...(state === 'cancelled' ? { reason: 'why' } : {}) };
      const expected = { ...approval(state), ...settlement };
      assert.deepEqual(await settle(store, state, settlement), { outcome: 'settled', record: expected });
    }
    assert.deepEqual(await idsOf(store, { state: 'open' }), []);
  },

  'settles each of many records at the same time': async (store) => {
    const ids = Array.from({ length: 50 }, (_, index) => `r${index}`);
    await Promise.all(ids.map((id) => store.add(approval(id))));
    const outcomes = await Promise.all(ids.map((id) => settle(store, id, answered(id))));
    assert.ok(outcomes.every(({ outcome }) => outcome === 'settled'));
    const actors = await Promise.all(ids.map(async (id) => (await store.get(id))?.actor));
    assert.deepEqual(actors, ids);
  },
};

const audit: ApprovalPromises = {
  'has an entry for each settlement, in that order': async (store) => {
    for (const id of ['one', 'two']) await store.add(approval(id));
    assert.deepEqual(await auditOf(store), []);
    await settle(store, 'two', answered('ada'));
    await settle(store, 'one', { state: 'expired', settledAt: 3 });
    assert.deepEqual(await auditOf(store), [
      auditEntry(approval('two'), answered('ada')),
      auditEntry(approval('one'), { state: 'expired', settledAt: 3 }),
    ]);
  },

  'has no entry for a settlement that came second': async (store) => {
    await store.add(approval('one'));
    await Promise.all(['ada', 'bob', 'eve'].map((actor) => settle(store, 'one', answered(actor))));
    const [entry, ...more] = await auditOf(store);
    assert.deepEqual(more, []);
    assert.equal(entry?.actor, (await store.get('one'))?.actor);
  },

  'has the entries of one session': async (store) => {
    await store.add(approval('one'));
    const elsewhere = approval('two', { session: 'other' });
    await store.add(elsewhere);
    await settle(store, 'one', answered('ada'));
    await store.settle('two', answered('bob'), auditEntry(elsewhere, answered('bob')));
    assert.deepEqual(
      (await auditOf(store, 'other')).map(({ id }) => id),
      ['two'],
    );
  },

  'keeps its entries when the caller changes them, or what it returned': async (store) => {
    await store.add(approval('one'));
    const entry = auditEntry(approval('one'), answered('ada'));
    await store.settle('one', answered('ada'), entry);
    spoil(entry);
    spoil(await auditOf(store));
    assert.deepEqual(await auditOf(store), [auditEntry(approval('one'), answered('ada'))]);
  },
};

const afterRestart: ApprovalPromises = {
  'has what was open and what was settled': async (store, { reopen }) => {
    await store.add(full);
    await store.add(approval('two'));
    await settle(store, 'two', answered('ada'));
    const later = await reopened(reopen);
    assert.deepEqual(await later.list(), [full, { ...approval('two'), ...answered('ada') }]);
    assert.deepEqual(await auditOf(later), [auditEntry(approval('two'), answered('ada'))]);
  },

  'settles what is open once, and what was settled not again': async (store, { reopen }) => {
    for (const id of ['one', 'two']) await store.add(approval(id));
    await settle(store, 'one', answered('ada'));
    const later = await reopened(reopen);
    assert.equal((await settle(later, 'one', answered('bob'))).outcome, 'already');
    assert.equal((await settle(later, 'two', { state: 'lost', settledAt: 7 })).outcome, 'settled');
    const last = await reopened(reopen);
    assert.deepEqual(
      (await last.list()).map(({ id, state, actor }) => [id, state, actor]),
      [
        ['one', 'answered', 'ada'],
        ['two', 'lost', undefined],
      ],
    );
    assert.equal((await auditOf(last)).length, 2);
  },

  'has what is still being added and settled, once that has resolved': async (store, { reopen }) => {
    const ids = Array.from({ length: 30 }, (_, index) => `r${index}`);
    await Promise.all(
      ids.map(async (id) => {
        await store.add(approval(id));
        await settle(store, id, answered(id));
      }),
    );
    const later = await reopened(reopen);
    assert.deepEqual((await later.list({ state: 'answered' })).map(({ id }) => id).toSorted(), ids.toSorted());
    assert.equal((await auditOf(later)).length, ids.length);
  },
};
