import { commandReader as commands } from '@hexagent/commands';
import {
  PermissionPolicy,
  PermissionService,
  type PermissionPolicyOptions,
  type PermissionServiceOptions,
} from '../src/index.ts';

export { commands };

export type PolicyOptions = Omit<PermissionPolicyOptions, 'commands'>;

export const policyOf = (options: PolicyOptions = {}): PermissionPolicy =>
  new PermissionPolicy({ ...options, commands });

export const serviceOf = (options: Omit<PermissionServiceOptions, 'commands'> = {}): PermissionService =>
  new PermissionService({ ...options, commands });
