import { isRecord } from '@hexagent/checks';
import type { Frame } from '@hexagent/ports';

/** Beside the answer to `initialize`, which requests each list holds. */
const lists = {
  pending_permission_requests: 'can_use_tool',
  pending_user_dialog_requests: 'request_user_dialog',
  pending_elicitation_requests: 'elicitation',
} as const;

/** What the agent waits for, by its own account. What has another form than the request that it is to be is left out. */
export function pendingRequests(response: unknown): readonly (Frame & { readonly request_id?: unknown })[] {
  if (!isRecord(response)) return [];
  return Object.entries(lists).flatMap(([list, subtype]) => {
    const pending = response[list];
    return Array.isArray(pending) ? pending.filter((frame) => isRequestOf(frame, subtype)) : [];
  });
}

function isRequestOf(frame: unknown, subtype: string): frame is Frame {
  return (
    isRecord(frame) &&
    frame['type'] === 'control_request' &&
    isRecord(frame['request']) &&
    frame['request']['subtype'] === subtype
  );
}
