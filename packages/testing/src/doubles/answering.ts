import type { RequestHandlers, SessionFeature } from '@hexagent/ports';

/** A feature that answers what the agent asks, and does no more. */
export function answering(handlers: RequestHandlers): SessionFeature {
  return { name: 'test', handlers };
}
