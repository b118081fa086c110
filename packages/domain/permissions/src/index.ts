export { allow, deny } from './answers.ts';
export {
  PermissionPolicy,
  type DecidedBy,
  type PermissionPolicyOptions,
  type PolicyDecision,
  type PolicyMode,
} from './permission-policy.ts';
export { PermissionService, type PermissionServiceOptions } from './permission-service.ts';
export { permissionsFeature } from './permissions-feature.ts';
export { launchRules, type PermissionRules, type RuleList } from './rules.ts';
export type { ToolCall } from './tool-call.ts';
