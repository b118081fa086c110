import type { CliPermissionMode } from './values.ts';

export type PermissionBehavior = 'allow' | 'deny' | 'ask';

/** Where a changed rule is kept; `session` and `cliArg` are dropped at the end. */
export type PermissionDestination = 'userSettings' | 'projectSettings' | 'localSettings' | 'session' | 'cliArg';

/** A rule of the CLI: a tool, or with `ruleContent` some of its calls. */
export interface PermissionRuleValue {
  readonly toolName: string;
  readonly ruleContent?: string;
}

/** A change to the CLI's own rules, mode or directories. */
export type PermissionUpdate =
  | OfType<'addRules' | 'replaceRules' | 'removeRules', ChangedRules>
  | { readonly type: 'setMode'; readonly mode: CliPermissionMode; readonly destination: PermissionDestination }
  | OfType<'addDirectories' | 'removeDirectories', ChangedDirectories>;

interface ChangedRules {
  readonly rules: readonly PermissionRuleValue[];
  readonly behavior: PermissionBehavior;
  readonly destination: PermissionDestination;
}

interface ChangedDirectories {
  readonly directories: readonly string[];
  readonly destination: PermissionDestination;
}

/** One member for each type: of joined ones, `find()` with a comparison of the type would find any. */
type OfType<Type extends string, Fields> = Type extends unknown ? { readonly type: Type } & Fields : never;

/** What kind of answer a person gave; the agent only counts it. */
export type PermissionDecisionClassification = 'user_temporary' | 'user_permanent' | 'user_reject';

/** Whether a tool call may run. */
export type PermissionAnswer =
  | {
      readonly behavior: 'allow';
      /** Runs the tool with this input instead. */
      readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
      /** Changes to the CLI's rules, usually taken from `permission_suggestions`. */
      readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
      readonly decisionClassification?: PermissionDecisionClassification | undefined;
    }
  | {
      readonly behavior: 'deny';
      /** The model reads it. */
      readonly message: string;
      /** Also ends the turn. */
      readonly interrupt?: boolean | undefined;
      readonly decisionClassification?: PermissionDecisionClassification | undefined;
    };
