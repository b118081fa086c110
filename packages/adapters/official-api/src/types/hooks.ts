import type * as inputs from './hook-inputs.ts';
import type { HookJSONOutput } from './hook-outputs.ts';

/** The input of a hook. Narrow it by `hook_event_name`. */
export type HookInput =
  | inputs.PreToolUseHookInput
  | inputs.PostToolUseHookInput
  | inputs.PostToolUseFailureHookInput
  | inputs.PostToolBatchHookInput
  | inputs.PermissionDeniedHookInput
  | inputs.NotificationHookInput
  | inputs.UserPromptSubmitHookInput
  | inputs.UserPromptExpansionHookInput
  | inputs.SessionStartHookInput
  | inputs.SessionEndHookInput
  | inputs.StopHookInput
  | inputs.StopFailureHookInput
  | inputs.SubagentStartHookInput
  | inputs.SubagentStopHookInput
  | inputs.PreCompactHookInput
  | inputs.PostCompactHookInput
  | inputs.PreModelSwitchHookInput
  | inputs.PostModelSwitchHookInput
  | inputs.PermissionRequestHookInput
  | inputs.SetupHookInput
  | inputs.TeammateIdleHookInput
  | inputs.TaskCreatedHookInput
  | inputs.TaskCompletedHookInput
  | inputs.ElicitationHookInput
  | inputs.ElicitationResultHookInput
  | inputs.ConfigChangeHookInput
  | inputs.InstructionsLoadedHookInput
  | inputs.WorktreeCreateHookInput
  | inputs.WorktreeRemoveHookInput
  | inputs.CwdChangedHookInput
  | inputs.FileChangedHookInput
  | inputs.DirectoryAddedHookInput
  | inputs.MessageDisplayHookInput;

/** When a hook may run. */
export type HookEvent = HookInput['hook_event_name'];

/** A throw counts as a failure; see `onFailure`. */
export type HookCallback = (
  input: HookInput,
  toolUseID: string | undefined,
  options: {
    /** Aborts when the agent no longer waits. */
    signal: AbortSignal;
  },
) => Promise<HookJSONOutput>;

/** Hooks of one event that share a matcher. */
export interface HookCallbackMatcher {
  /** A tool name, names joined by `|`, or a regular expression that is searched for in the name; absent for all. */
  matcher?: string;
  hooks: HookCallback[];
  /** Seconds the agent waits for an answer; then it refuses the tool call. */
  timeout?: number;
  /** What a failing hook means: continue (the default), or block. */
  onFailure?: 'continue' | 'block';
}
