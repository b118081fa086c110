import type * as vocabulary from '@hexagent/ports';
import type { Mutable } from './mutable.ts';

/** What fills the context window. */
export type SDKContextUsage = Mutable<vocabulary.ContextUsage>;

export type SDKContextUsageCategory = Mutable<vocabulary.ContextUsageCategory>;

/** What a session has cost so far. */
export type SessionUsage = Mutable<vocabulary.SessionUsage>;

export type ExtraUsage = Mutable<vocabulary.ExtraUsage>;

/** Cost and limits, as far as the agent knows them. */
export type SDKUsageReport = Mutable<vocabulary.UsageReport>;
