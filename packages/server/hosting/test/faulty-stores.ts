import type { LeaseStore } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { withFault, type HostingStoreFixture, type PlantedFault } from '@hexagent/testing/contracts';
import { MemoryLeases } from '../src/index.ts';

type Change<Store> = (kept: Store) => Partial<Store>;

/** How a store is spoilt: each of its kind, or one that a program opens later over the same place. */
export type Planted<Store> = Change<Store> | { readonly restarted?: Change<Store> };
export type Fault<Store> = PlantedFault<Planted<Store>>;

const unchanged = (): object => ({});

/** Stores in memory that count as durable: one that is opened later is the same. */
export function stores<Store extends object>(
  create: () => Store,
  planted: Planted<Store>,
): HostingStoreFixture<Store> & { readonly isDurable: true } {
  const [first, later] =
    typeof planted === 'function' ? [planted, planted] : [unchanged, planted.restarted ?? unchanged];
  return {
    isDurable: true,
    open() {
      const kept = create();
      return { store: withFault(kept, first), reopen: () => withFault(kept, later) };
    },
  };
}

/** Calls, and reports whether none of the same key was open. */
export function overlapping<Given extends readonly unknown[], T>(
  call: (...given: Given) => Promise<T>,
  keyOf: (...given: Given) => string,
): (...given: Given) => Promise<{ readonly value: T; readonly isAlone: boolean }> {
  const open = new Set<string>();
  return async (...given) => {
    const key = keyOf(...given);
    const isAlone = !open.has(key);
    open.add(key);
    const value = await call(...given);
    open.delete(key);
    return { value, isAlone };
  };
}

interface Clocked {
  readonly clock: HandClock;
}

/** Each with a clock of its own, since the promises are tested at the same time. */
export function createLeases(): LeaseStore & Clocked {
  const clock = new HandClock();
  return Object.assign(new MemoryLeases({ clock, renewWithinMs: 1000 }), { clock });
}
export const loseHolders = (store: object): void => (store as Clocked).clock.advance(1000);
