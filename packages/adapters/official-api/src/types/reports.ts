import type * as vocabulary from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** What fills the context window. */
export type SDKContextUsage = Official<vocabulary.ContextUsage>;

export type SDKContextUsageCategory = Official<vocabulary.ContextUsageCategory>;

/** What a session has cost so far. */
export type SessionUsage = Official<vocabulary.SessionUsage>;

export type ExtraUsage = Official<vocabulary.ExtraUsage>;

/** Cost and limits, as far as the agent knows them. */
export type SDKUsageReport = Official<vocabulary.UsageReport>;
