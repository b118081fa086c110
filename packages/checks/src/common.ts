import { checkBytes, checkDelay } from './numbers.ts';
import { refuse } from './refusing.ts';
import { shown } from './unknown-values.ts';
import type { CliPermissionMode, LaunchOptions } from '@hexagent/ports';
import { list, number, oneOf, text, type Check } from './check.ts';

type Effort = NonNullable<LaunchOptions['effort']>;
type Source = NonNullable<LaunchOptions['settingSources']>[number];

export const mode: Check<CliPermissionMode> = oneOf(
  'default',
  'acceptEdits',
  'bypassPermissions',
  'plan',
  'dontAsk',
  'auto',
);
export const effort: Check<Effort> = oneOf('low', 'medium', 'high', 'xhigh', 'max');
export const source: Check<Source> = oneOf('user', 'project', 'local');
/** For what travels as JSON. */
export const anyText: Check<string> = text('a string', /^/);
/** For what becomes a variable or an argument, which end at a NUL. */
export const argument: Check<string> = text('a string', /^[^\0]*$/);
export const path: Check<string> = text('a path');
export const names: Check<readonly string[]> = list(text('a name'), 'a list of names');
export const positive: Check<number> = number({ above: 0 });
export const wholePositive: Check<number> = number({ above: 0, whole: true });
export const bytes: Check<number> = (value, place) => (checkBytes(place, value), value as number); // as was just checked
export const delay: Check<number> = (value, place) => (checkDelay(place, value), value as number); // as was just checked
export const uuid: Check<string> = text(
  'a uuid, such as crypto.randomUUID() makes',
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i,
);
/** How many of something there may be: 1 or more, and `Infinity` for no limit. */
export const limit: Check<number> = (value, place) => {
  if (typeof value === 'number' && value >= 1) return value;
  throw refuse(place, 'a number of at least 1', shown(value));
};
