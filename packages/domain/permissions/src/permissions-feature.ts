import type { PermissionGate, SessionFeature } from '@hexagent/ports';

/** Passes the agent's requests for permission to a gate. The drop-in has no rules, and loads this without the code that reads them. */
export function permissionsFeature(gate: PermissionGate): SessionFeature {
  return {
    name: 'permissions',
    launch: { asksPermission: true },
    handlers: { can_use_tool: (request, context) => gate.decide(request, context) },
  };
}
