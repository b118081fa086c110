import { assert } from './assert.ts';
import type { HostingStoreFixture } from './hosting-stores-fixture.ts';
import type { Runner } from './runner.ts';

/** One promise of a store; `reopen` opens the same place again. */
export type KeepPromise<Store> = (store: Store, reopen: () => Promise<Store>) => Promise<void>;

/** By the title of the test. What needs a durable store is skipped for another. */
export interface StorePromiseSet<Store> {
  readonly always: Readonly<Record<string, KeepPromise<Store>>>;
  readonly durable: Readonly<Record<string, KeepPromise<Store>>>;
}

export function runPromises<Store>(
  { it }: Runner,
  fixture: HostingStoreFixture<Store>,
  { always, durable }: StorePromiseSet<Store>,
): void {
  for (const [name, keep] of Object.entries(always)) it(name, () => keepOne(fixture, keep));
  for (const [name, keep] of Object.entries(durable))
    (fixture.isDurable ? it : it.skip)(name, () => keepOne(fixture, keep));
}

async function keepOne<Store>(fixture: HostingStoreFixture<Store>, keep: KeepPromise<Store>): Promise<void> {
  const { store, reopen, close } = await fixture.open();
  try {
    await keep(store, async () => {
      assert.ok(reopen, 'the fixture declares the store durable, and cannot open it again');
      return await reopen();
    });
  } finally {
    await close?.();
  }
}
