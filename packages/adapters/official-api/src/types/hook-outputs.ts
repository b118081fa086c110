import type { PermissionUpdate } from './permissions.ts';

/** `defer` puts the call off: the turn ends with it. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

type Output<Event extends string, Fields> = { hookEventName: Event } & Fields;

/** Text the model reads. */
type Context = { additionalContext?: string };

export type PreToolUseHookSpecificOutput = Output<
  'PreToolUse',
  Context & {
    permissionDecision?: HookPermissionDecision;
    permissionDecisionReason?: string;
    /** With `allow`: runs the tool with this input instead. */
    updatedInput?: Record<string, unknown>;
  }
>;

export type PostToolUseHookSpecificOutput = Output<
  'PostToolUse',
  Context & { classifierContext?: string; updatedToolOutput?: unknown; updatedMCPToolOutput?: unknown }
>;

export type PostToolUseFailureHookSpecificOutput = Output<'PostToolUseFailure', Context>;

export type PostToolBatchHookSpecificOutput = Output<'PostToolBatch', Context>;

export type PermissionRequestHookSpecificOutput = Output<
  'PermissionRequest',
  {
    decision:
      | { behavior: 'allow'; updatedInput?: Record<string, unknown>; updatedPermissions?: PermissionUpdate[] }
      | { behavior: 'deny'; message?: string; interrupt?: boolean };
  }
>;

export type PermissionDeniedHookSpecificOutput = Output<'PermissionDenied', { retry?: boolean }>;

export type NotificationHookSpecificOutput = Output<'Notification', Context>;

export type UserPromptSubmitHookSpecificOutput = Output<
  'UserPromptSubmit',
  Context & { sessionTitle?: string; suppressOriginalPrompt?: boolean }
>;

export type UserPromptExpansionHookSpecificOutput = Output<
  'UserPromptExpansion',
  Context & { suppressOriginalPrompt?: boolean }
>;

export type SessionStartHookSpecificOutput = Output<
  'SessionStart',
  Context & { initialUserMessage?: string; sessionTitle?: string; watchPaths?: string[]; reloadSkills?: boolean }
>;

export type SetupHookSpecificOutput = Output<'Setup', Context>;

export type StopHookSpecificOutput = Output<'Stop', Context>;

export type SubagentStartHookSpecificOutput = Output<'SubagentStart', Context>;

export type SubagentStopHookSpecificOutput = Output<'SubagentStop', Context>;

export type PreModelSwitchHookSpecificOutput = Output<
  'PreModelSwitch',
  { permissionDecision?: 'allow' | 'deny' | 'ask'; permissionDecisionReason?: string }
>;

export type PostModelSwitchHookSpecificOutput = Output<'PostModelSwitch', Context>;

type Elicited = { action?: 'accept' | 'decline' | 'cancel'; content?: Record<string, unknown> };

export type ElicitationHookSpecificOutput = Output<'Elicitation', Elicited>;

export type ElicitationResultHookSpecificOutput = Output<'ElicitationResult', Elicited>;

export type CwdChangedHookSpecificOutput = Output<'CwdChanged', { watchPaths?: string[] }>;

export type FileChangedHookSpecificOutput = Output<'FileChanged', { watchPaths?: string[] }>;

export type WorktreeCreateHookSpecificOutput = Output<'WorktreeCreate', { worktreePath: string }>;

export type MessageDisplayHookSpecificOutput = Output<'MessageDisplay', { displayContent?: string }>;

/** The agent goes on at once and does not wait for this hook. */
export type AsyncHookJSONOutput = { async: true; asyncTimeout?: number };

/** What a hook answers; `{}` means go on. */
export type SyncHookJSONOutput = {
  /** `false` ends the turn; a tool that a `PreToolUse` hook was asked about still runs. */
  continue?: boolean;
  suppressOutput?: boolean;
  stopReason?: string;
  decision?: 'approve' | 'block';
  systemMessage?: string;
  terminalSequence?: string;
  reason?: string;
  hookSpecificOutput?:
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
};

export type HookJSONOutput = AsyncHookJSONOutput | SyncHookJSONOutput;
