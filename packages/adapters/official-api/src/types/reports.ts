import type * as vocabulary from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** What fills the context window. */
export type SDKContextUsage = Official<vocabulary.ContextUsage>;

export type SDKContextUsageCategory = Official<vocabulary.ContextUsageCategory>;

/** Cost and limits, as far as the agent has them. */
export type SDKUsageReport = Official<vocabulary.UsageReport>;
