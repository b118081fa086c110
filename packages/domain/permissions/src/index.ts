export { allow, deny } from './answers.ts';
export { PermissionService, type PermissionServiceOptions } from './permission-service.ts';
export { permissionsFeature } from './permissions-feature.ts';
export { launchRules, type PermissionRules } from './rules.ts';
