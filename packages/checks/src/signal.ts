import { kindOf } from './unknown-values.ts';
import { isMethod, type Check } from './check.ts';
import { refuse } from './refusing.ts';

/** Of any realm, so the shape decides and not the class. */
export const abortSignal: Check<AbortSignal> = (value, place) => {
  if (typeof value === 'object' && value !== null) {
    if (isMethod(value, 'addEventListener', place) && isMethod(value, 'throwIfAborted', place))
      return value as AbortSignal; // nothing else has both
    if (isMethod(value, 'abort', place)) throw refuse(place, 'an AbortSignal', 'its controller: pass its `signal`');
  }
  throw refuse(place, 'an AbortSignal', kindOf(value));
};
