import type { PermissionGate, SessionFeature } from '@hexagent/ports';

/** Has a gate decide about the calls that the agent asks about. */
export function permissionsFeature(gate: PermissionGate): SessionFeature {
  return {
    name: 'permissions',
    launch: { asksPermission: true },
    handlers: { can_use_tool: (request, context) => gate.decide(request, context) },
  };
}
