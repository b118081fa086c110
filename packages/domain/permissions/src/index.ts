export { anyCommand } from './any-command.ts';
export { allow, deny, type AllowOptions, type AskedOf } from './answers.ts';
export type { SettingsSource, SessionEnvironment } from './asked-again.ts';
export { Asks, type AsksOptions } from './asks.ts';
export { EnforcedPolicy } from './enforced-policy.ts';
export { approvePlan, revisePlan, type ApproveOptions } from './plans.ts';
export { answerQuestions, declineQuestions, type QuestionAnswers } from './questions.ts';
export { rememberedRules, rulesToRemember, type RememberedRequest, type StoredRules } from './remembering.ts';
export { absentToolsFeature } from './absent-tools.ts';
export { unknownToolsFeature } from './unknown-tools.ts';
export {
  PermissionPolicy,
  type DecidedBy,
  type PermissionPolicyOptions,
  type PolicyDecision,
  type PolicyMode,
} from './permission-policy.ts';
export { PermissionService, type PermissionServiceOptions } from './permission-service.ts';
export { permissionsFeature } from './permissions-feature.ts';
export { readOnce } from './read-once.ts';
export { launchRules, type PermissionRules, type RuleList, type RuleLists } from './rules.ts';
export type { ToolCall } from './tool-call.ts';
