import type { Clock, SessionFeature } from '@hexagent/ports';
import { BudgetWatch, CacheWatch, StallWatch } from '@hexagent/streaming';
import type { SessionOptions } from './session-options.ts';

/** What watches the turns of a session: always the cache, the rest where an option asks for it. */
export function watchesOf(
  {
    budget,
    stallAfterMs,
    resume,
    continue: continues,
  }: Pick<SessionOptions, 'budget' | 'stallAfterMs' | 'resume' | 'continue'>,
  clock: Clock,
): readonly SessionFeature[] {
  return [
    new CacheWatch({ clock, isResumed: resume !== undefined || continues === true }),
    ...(budget === undefined ? [] : [new BudgetWatch(budget)]),
    ...(stallAfterMs === undefined ? [] : [new StallWatch({ afterMs: stallAfterMs, clock })]),
  ];
}
