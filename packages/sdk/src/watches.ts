import type { Clock, SessionFeature } from '@hexagent/ports';
import { BudgetWatch, StallWatch } from '@hexagent/streaming';
import type { SessionOptions } from './session-options.ts';

/** What watches the turns of a session, where an option asks for it. */
export function watchesOf(
  { budget, stallAfterMs }: Pick<SessionOptions, 'budget' | 'stallAfterMs'>,
  clock: Clock,
): readonly SessionFeature[] {
  return [
    ...(budget === undefined ? [] : [new BudgetWatch(budget)]),
    ...(stallAfterMs === undefined ? [] : [new StallWatch({ afterMs: stallAfterMs, clock })]),
  ];
}
