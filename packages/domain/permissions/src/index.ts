export { allow, deny } from './answers.ts';
export { PermissionService, type PermissionServiceOptions } from './permission-service.ts';
export { launchRules, type PermissionRules } from './rules.ts';
