import type { ContextWindow } from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** What fills the context window, in all detail the agent has. */
export type SDKControlGetContextUsageResponse = Official<
  ContextWindow,
  {},
  Exclude<keyof ContextWindow, 'autocompactSource'>
>;
