import { background } from './background.ts';
import { hooks } from './hooks.ts';
import { interrupting } from './interrupting.ts';
import { limits } from './limits.ts';
import { people } from './people.ts';
import type { Scenarios } from './scenario.ts';
import { servers } from './servers.ts';
import { sessions } from './sessions.ts';
import { texts } from './texts.ts';
import { tools } from './tools.ts';

/** Every conversation that is had with agents of three depths. */
export const scenarios: Scenarios = {
  ...texts,
  ...tools,
  ...hooks,
  ...servers,
  ...people,
  ...interrupting,
  ...background,
  ...limits,
  ...sessions,
};
