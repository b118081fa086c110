import type { SessionFeature } from '@hexagent/ports';
import type { PendingCalls } from './pending-calls.ts';

/** Lets the people of a program learn what became of what they decided. The gate asks them; nothing is answered here. */
export function pendingCallsFeature(pendingCalls: PendingCalls): SessionFeature {
  return { name: 'pendingCalls', attach: (control) => pendingCalls.attach(control) };
}
