import type { SessionFeature } from '@hexagent/ports';
import type { Approvals } from './approvals.ts';

/** Lets the people of a program learn what became of what they decided. The gate asks them; nothing is answered here. */
export function approvalsFeature(approvals: Approvals): SessionFeature {
  return { name: 'approvals', attach: (control) => approvals.attach(control) };
}
