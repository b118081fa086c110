import type * as vocabulary from '@hexagent/ports';
import type { HookEvent, HookInputFields, HookInputOf, PostToolBatchCall } from '@hexagent/ports';
import type { Official } from './mutable.ts';

type Input<Event extends HookEvent> = Official<HookInputOf<Event>>;

/** What the input of every hook has. */
export type BaseHookInput = Official<HookInputFields>;

export type PostToolBatchToolCall = Official<PostToolBatchCall>;

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
