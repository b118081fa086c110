import type { PermissionGate, SessionFeature } from '@hexagent/ports';

/** Passes the agent's requests for permission to a gate. */
export function permissionsFeature(gate: PermissionGate): SessionFeature {
  return {
    name: 'permissions',
    launch: { asksPermission: true },
    handlers: { can_use_tool: (request, context) => gate.decide(request, context) },
  };
}
