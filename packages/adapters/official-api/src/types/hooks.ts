import type * as vocabulary from '@hexagent/ports';
import type { HookEvent, HookInputOf, HookSpecificOutputOf } from '@hexagent/ports';
import type { Official } from './mutable.ts';

export type { HookEvent, HookPermissionDecision } from '@hexagent/ports';

/** The input of a hook. Narrow it by `hook_event_name`. */
export type HookInput = { [Event in HookEvent]: Input<Event> }[HookEvent];

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

type Input<Event extends HookEvent> = Official<HookInputOf<Event>>;

/** What the input of every hook has. */
export type BaseHookInput = Official<vocabulary.HookInputFields>;

export type PostToolBatchToolCall = Official<vocabulary.PostToolBatchCall>;

export type BackgroundTaskSummary = Official<vocabulary.BackgroundTaskSummary>;

export type SessionCronSummary = Official<vocabulary.SessionCronSummary>;

/** A tool is about to run. Asked for every call, those allowed by rule included. */
export type PreToolUseHookInput = Input<'PreToolUse'>;

export type PostToolUseHookInput = Input<'PostToolUse'>;

export type PostToolUseFailureHookInput = Input<'PostToolUseFailure'>;

/** All calls that ran in parallel are done. */
export type PostToolBatchHookInput = Input<'PostToolBatch'>;

/** A tool call needs a decision. Races with `canUseTool`: the first answer counts. */
export type PermissionRequestHookInput = Input<'PermissionRequest'>;

export type PermissionDeniedHookInput = Input<'PermissionDenied'>;

export type NotificationHookInput = Input<'Notification'>;

export type UserPromptSubmitHookInput = Input<'UserPromptSubmit'>;

export type UserPromptExpansionHookInput = Input<'UserPromptExpansion'>;

/** Not delivered for the first start and for `resume`: the CLI runs it before hooks are registered. */
export type SessionStartHookInput = Input<'SessionStart'>;

/** Not delivered when the process ends. */
export type SessionEndHookInput = Input<'SessionEnd'>;

/** The agent is about to end its turn. */
export type StopHookInput = Input<'Stop'>;

export type StopFailureHookInput = Input<'StopFailure'>;

export type SubagentStartHookInput = Input<'SubagentStart'>;

export type SubagentStopHookInput = Input<'SubagentStop'>;

export type PreCompactHookInput = Input<'PreCompact'>;

export type PostCompactHookInput = Input<'PostCompact'>;

export type PreModelSwitchHookInput = Input<'PreModelSwitch'>;

export type PostModelSwitchHookInput = Input<'PostModelSwitch'>;

export type SetupHookInput = Input<'Setup'>;

export type TeammateIdleHookInput = Input<'TeammateIdle'>;

export type TaskCreatedHookInput = Input<'TaskCreated'>;

export type TaskCompletedHookInput = Input<'TaskCompleted'>;

export type ElicitationHookInput = Input<'Elicitation'>;

export type ElicitationResultHookInput = Input<'ElicitationResult'>;

export type ConfigChangeHookInput = Input<'ConfigChange'>;

export type InstructionsLoadedHookInput = Input<'InstructionsLoaded'>;

/** The hook has to make the worktree and answer where it is. */
export type WorktreeCreateHookInput = Input<'WorktreeCreate'>;

export type WorktreeRemoveHookInput = Input<'WorktreeRemove'>;

export type CwdChangedHookInput = Input<'CwdChanged'>;

export type FileChangedHookInput = Input<'FileChanged'>;

export type DirectoryAddedHookInput = Input<'DirectoryAdded'>;

/** A piece of text is about to be shown. */
export type MessageDisplayHookInput = Input<'MessageDisplay'>;

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
export type AsyncHookJSONOutput = Official<vocabulary.AsyncHookOutput>;

type Answering = vocabulary.HookSpecificOutput['hookEventName'];
type SpecificOutput = { [Event in Answering]: Output<Event> }[Answering];

/** What a hook answers; `{}` means continue. */
export type SyncHookJSONOutput = Official<vocabulary.SyncHookOutput, { hookSpecificOutput: SpecificOutput }>;

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
