import { callbackPlaces } from './callback-places.ts';
import { attackCallbacks } from './callbacks.ts';
import type { Finding } from './invariants.ts';

/** Everything odd that a callback can do, in the place of this number. */
export async function runCallbacks(place: number): Promise<Finding> {
  const chosen = callbackPlaces[place - 1];
  if (chosen === undefined) return { violations: [] };
  const { complaints, runs } = await attackCallbacks([chosen]);
  const violations = complaints.map(({ place: where, behaviour, what }) => `${where}: ${behaviour}: ${what}`);
  return { violations, seen: { 'callbacks that do something odd': runs } };
}
