import type { AsyncHookOutput, HookEvent, HookSpecificOutputOf, SyncHookOutput } from '@hexagent/ports';
import type { Official } from './mutable.ts';

export type { HookPermissionDecision } from '@hexagent/ports';

type Output<Event extends HookEvent> = Official<HookSpecificOutputOf<Event>>;

export type PreToolUseHookSpecificOutput = Output<'PreToolUse'>;

export type PostToolUseHookSpecificOutput = Output<'PostToolUse'>;

export type PostToolUseFailureHookSpecificOutput = Output<'PostToolUseFailure'>;

export type PostToolBatchHookSpecificOutput = Output<'PostToolBatch'>;

export type PermissionRequestHookSpecificOutput = Output<'PermissionRequest'>;

export type PermissionDeniedHookSpecificOutput = Output<'PermissionDenied'>;

export type NotificationHookSpecificOutput = Output<'Notification'>;

export type UserPromptSubmitHookSpecificOutput = Output<'UserPromptSubmit'>;

export type UserPromptExpansionHookSpecificOutput = Output<'UserPromptExpansion'>;

export type SessionStartHookSpecificOutput = Output<'SessionStart'>;

export type SetupHookSpecificOutput = Output<'Setup'>;

export type StopHookSpecificOutput = Output<'Stop'>;

export type SubagentStartHookSpecificOutput = Output<'SubagentStart'>;

export type SubagentStopHookSpecificOutput = Output<'SubagentStop'>;

export type PreModelSwitchHookSpecificOutput = Output<'PreModelSwitch'>;

export type PostModelSwitchHookSpecificOutput = Output<'PostModelSwitch'>;

export type ElicitationHookSpecificOutput = Output<'Elicitation'>;

export type ElicitationResultHookSpecificOutput = Output<'ElicitationResult'>;

export type CwdChangedHookSpecificOutput = Output<'CwdChanged'>;

export type FileChangedHookSpecificOutput = Output<'FileChanged'>;

export type WorktreeCreateHookSpecificOutput = Output<'WorktreeCreate'>;

export type MessageDisplayHookSpecificOutput = Output<'MessageDisplay'>;

/** The agent continues at once and does not wait for this hook. */
export type AsyncHookJSONOutput = Official<AsyncHookOutput>;

type SpecificOutput =
  | PreToolUseHookSpecificOutput
  | UserPromptSubmitHookSpecificOutput
  | UserPromptExpansionHookSpecificOutput
  | SessionStartHookSpecificOutput
  | SetupHookSpecificOutput
  | PreModelSwitchHookSpecificOutput
  | PostModelSwitchHookSpecificOutput
  | SubagentStartHookSpecificOutput
  | PostToolUseHookSpecificOutput
  | PostToolUseFailureHookSpecificOutput
  | PostToolBatchHookSpecificOutput
  | StopHookSpecificOutput
  | SubagentStopHookSpecificOutput
  | PermissionDeniedHookSpecificOutput
  | NotificationHookSpecificOutput
  | PermissionRequestHookSpecificOutput
  | ElicitationHookSpecificOutput
  | ElicitationResultHookSpecificOutput
  | CwdChangedHookSpecificOutput
  | FileChangedHookSpecificOutput
  | WorktreeCreateHookSpecificOutput
  | MessageDisplayHookSpecificOutput;

/** What a hook answers; `{}` means continue. */
export type SyncHookJSONOutput = Official<SyncHookOutput, { hookSpecificOutput: SpecificOutput }>;

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
