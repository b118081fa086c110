import type { MessageOf, RateLimitInfo } from '@hexagent/ports';
import type { Official } from './mutable.ts';

/** A limit of a subscription has changed or comes near. */
export type SDKRateLimitEvent = Official<MessageOf<'rate_limit_event'>>;

/** How much of a subscription's allowance is left. */
export type SDKRateLimitInfo = Official<RateLimitInfo>;
