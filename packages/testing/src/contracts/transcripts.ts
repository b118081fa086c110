import { assert } from './assert.ts';
import type { SessionStore, TranscriptsOf } from '@hexagent/ports';
import { hasCode } from './has-code.ts';
import type { TranscriptsFixture } from './hosting-stores-fixture.ts';
import { limitedRunner } from './limited-runner.ts';
import type { Runner } from './runner.ts';
import { entry, main, ofSubagent, other, uuidsOf } from './session-store-fixture.ts';
import { runPromises, type KeepPromise } from './store-promises.ts';

/**
 * What stores of transcripts promise that are made for each lease: of a session nothing is stored under a lease that another process has
 * taken over. Each store keeps the promises of `sessionStoreContract` beside.
 */
export function transcriptsContract(runner: Runner, fixture: TranscriptsFixture): void {
  const limited = limitedRunner('transcriptsContract', runner, fixture);
  limited.describe('Transcripts contract', () => runPromises(limited, fixture, { always, durable }));
}

const refused = (appended: Promise<void>): Promise<void> => assert.rejects(appended, hasCode('LEASE_LOST'));

const numbered = (...numbers: readonly number[]): readonly unknown[] => numbers.map((number) => entry(number).uuid);

const always: Readonly<Record<string, KeepPromise<TranscriptsOf>>> = {
  async 'store what is appended under a lease, for all who load it'(storeOf) {
    await storeOf({ session: 'a', fence: 1 }).append(main, [entry(1)]);
    await storeOf({ session: 'a', fence: 1 }).append(main, [entry(2)]);
    await storeOf({ session: 'a', fence: 7 }).append(main, [entry(3)]);
    for (const fence of [7, 1, undefined])
      assert.deepEqual(await uuidsOf(storeOf({ session: 'a', fence }), main), numbered(1, 2, 3));
  },

  async 'refuse lines under a lower fence than before, and store none of them'(storeOf) {
    const [older, newer] = [storeOf({ session: 'a', fence: 4 }), storeOf({ session: 'a', fence: 5 })];
    await older.append(main, [entry(1)]);
    await newer.append(main, [entry(2)]);
    await refused(older.append(main, [entry(3), entry(4)]));
    await refused(older.append(main, [entry(1)]));
    await newer.append(main, [entry(5)]);
    assert.deepEqual(await uuidsOf(newer, main), numbered(1, 2, 5));
  },

  async 'refuse them in every transcript of the session, also under another id of the agent'(storeOf) {
    const older = storeOf({ session: 'a', fence: 1 });
    await storeOf({ session: 'a', fence: 2 }).append(main, [entry(1)]);
    await refused(older.append(ofSubagent, [entry(2)]));
    await refused(older.append(other, [entry(3)]));
    for (const key of [ofSubagent, other]) assert.equal(await older.load(key), null);
  },

  async 'refuse them once the session was loaded under a newer lease: what is resumed is whole'(storeOf) {
    const older = storeOf({ session: 'a', fence: 1 });
    await older.append(main, [entry(1)]);
    assert.deepEqual(await uuidsOf(storeOf({ session: 'a', fence: 2 }), main), numbered(1));
    await refused(older.append(main, [entry(2)]));
    assert.deepEqual(await uuidsOf(older, main), numbered(1));
  },

  async 'refuse to delete under a lower fence, where they can delete'(storeOf) {
    const [older, newer] = [storeOf({ session: 'a', fence: 1 }), storeOf({ session: 'a', fence: 2 })];
    await newer.append(main, [entry(1)]);
    if (older.delete === undefined) return;
    await refused(older.delete(main));
    assert.deepEqual(await uuidsOf(newer, main), numbered(1));
    await storeOf({ session: 'a' }).delete?.(main);
    assert.equal(await newer.load(main), null);
  },

  async 'refuse nothing to one that reads under an old lease, or without one'(storeOf) {
    await storeOf({ session: 'a', fence: 2 }).append(main, [entry(1)]);
    for (const fence of [1, undefined])
      assert.deepEqual(await uuidsOf(storeOf({ session: 'a', fence }), main), numbered(1));
    // It has made no fence lower either.
    await refused(storeOf({ session: 'a', fence: 1 }).append(main, [entry(2)]));
  },

  async 'store a line without a lease, such as a title'(storeOf) {
    const title = { type: 'custom-title', customTitle: 'A' };
    await storeOf({ session: 'a', fence: 2 }).append(main, [entry(1)]);
    await storeOf({ session: 'a' }).append(main, [title]);
    await refused(storeOf({ session: 'a', fence: 1 }).append(main, [entry(2)]));
    assert.deepEqual(await storeOf({ session: 'a' }).load(main), [entry(1), title]);
  },

  async 'leave other sessions alone'(storeOf) {
    await storeOf({ session: 'a', fence: 9 }).append(main, [entry(1)]);
    for (const session of ['A', 'a ', 'b']) await storeOf({ session, fence: 1 }).append(other, [entry(2)]);
    assert.deepEqual(await uuidsOf(storeOf({ session: 'b', fence: 1 }), other), numbered(2));
  },

  async 'refuse the lines of all but the newest of many that write at the same time'(storeOf) {
    const fences = [1, 2, 3, 4, 5, 6, 7, 8];
    const newest = storeOf({ session: 'a', fence: 9 });
    const stores: readonly SessionStore[] = fences.map((fence) => storeOf({ session: 'a', fence }));
    await Promise.allSettled([...stores, newest].map((store, at) => store.append(main, [entry(at)])));
    for (const store of stores) await refused(store.append(main, [entry(99)]));
    assert.ok((await uuidsOf(newest, main)).includes(entry(8).uuid), 'the line of the newest is missing');
  },
};

const durable: Readonly<Record<string, KeepPromise<TranscriptsOf>>> = {
  async 'refuse a lower fence also where another process was given the higher one'(storeOf, reopen) {
    await storeOf({ session: 'a', fence: 1 }).append(main, [entry(1)]);
    const again = await reopen();
    await again({ session: 'a', fence: 2 }).append(main, [entry(2)]);
    await refused(storeOf({ session: 'a', fence: 1 }).append(main, [entry(3)]));
    assert.deepEqual(await uuidsOf(again({ session: 'a' }), main), numbered(1, 2));
  },
};
