import type { SessionFeature } from '@hexagent/ports';
import type { PendingCalls } from './pending-calls.ts';

/** Reports to the program how its decisions ended. The gate asks for them; nothing is answered here. */
export function pendingCallsFeature(pendingCalls: PendingCalls): SessionFeature {
  return { name: 'pendingCalls', attach: (control) => pendingCalls.attach(control) };
}
