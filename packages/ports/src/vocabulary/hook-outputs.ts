import type { PermissionUpdate } from './permission-values.ts';
import type { HookEvent } from './hook-inputs.ts';

/*
 * What a hook may answer, in the agent's spelling.
 */

/** What a hook of an event answers, `HookOutput<'PreToolUse'>`, or of any; `{}` means continue. */
export type HookOutput<Event extends HookEvent = HookEvent> =
  | SyncHookOutput<HookSpecificOutputOf<Event>>
  | AsyncHookOutput;

/** The agent continues at once: it does not wait for this hook, and nothing that it answers later counts. */
export interface AsyncHookOutput {
  readonly async: true;
  readonly asyncTimeout?: number | undefined;
}

/** The answer that the agent waits for. */
export interface SyncHookOutput<Specific extends HookSpecificOutput = HookSpecificOutput> {
  /** `false` ends the turn; a tool that is about to run still runs, so deny the call to stop it. */
  readonly continue?: boolean | undefined;
  readonly suppressOutput?: boolean | undefined;
  /** Why the turn ends, with `continue: false`. */
  readonly stopReason?: string | undefined;
  /** `block` keeps the agent from continuing, with `reason` for the model. */
  readonly decision?: 'approve' | 'block' | undefined;
  readonly reason?: string | undefined;
  /** A person reads it. */
  readonly systemMessage?: string | undefined;
  readonly terminalSequence?: string | undefined;
  /** What depends on the event, which `hookEventName` has to name. */
  readonly hookSpecificOutput?: Specific | undefined;
}

/** The part of an answer that depends on the event. */
export type HookSpecificOutput =
  | PreToolUseOutput
  | PostToolUseOutput
  | PermissionRequestOutput
  | PermissionDeniedOutput
  | UserPromptSubmitOutput
  | UserPromptExpansionOutput
  | SessionStartOutput
  | PreModelSwitchOutput
  | ElicitationOutput<'Elicitation'>
  | ElicitationOutput<'ElicitationResult'>
  | WatchPathsOutput<'CwdChanged'>
  | WatchPathsOutput<'FileChanged'>
  | WorktreeCreateOutput
  | MessageDisplayOutput
  | ContextOutput<'PostToolUseFailure'>
  | ContextOutput<'PostToolBatch'>
  | ContextOutput<'Notification'>
  | ContextOutput<'Setup'>
  | ContextOutput<'Stop'>
  | ContextOutput<'SubagentStart'>
  | ContextOutput<'SubagentStop'>
  | ContextOutput<'PostModelSwitch'>;

/** The part of an answer that depends on the event, of one event: `HookSpecificOutputOf<'PreToolUse'>`. */
export type HookSpecificOutputOf<Event extends HookEvent> = Extract<
  HookSpecificOutput,
  { readonly hookEventName: Event }
>;

/** `defer` ends the turn with the call, which can be made later. */
export type HookPermissionDecision = 'allow' | 'deny' | 'ask' | 'defer';

interface ContextOutput<Event extends HookEvent> {
  readonly hookEventName: Event;
  /** Text the model reads. */
  readonly additionalContext?: string | undefined;
}

interface PreToolUseOutput extends ContextOutput<'PreToolUse'> {
  readonly permissionDecision?: HookPermissionDecision | undefined;
  readonly permissionDecisionReason?: string | undefined;
  /** Takes the place of the input, whole. It allows nothing by itself: the changed call is decided about as any other. */
  readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
}

interface PostToolUseOutput extends ContextOutput<'PostToolUse'> {
  readonly classifierContext?: string | undefined;
  /** The model reads it in place of what the tool answered. */
  readonly updatedToolOutput?: unknown;
  readonly updatedMCPToolOutput?: unknown;
}

interface PermissionRequestOutput {
  readonly hookEventName: 'PermissionRequest';
  readonly decision:
    | {
        readonly behavior: 'allow';
        readonly updatedInput?: Readonly<Record<string, unknown>> | undefined;
        readonly updatedPermissions?: readonly PermissionUpdate[] | undefined;
      }
    | {
        readonly behavior: 'deny';
        readonly message?: string | undefined;
        readonly interrupt?: boolean | undefined;
      };
}

interface PermissionDeniedOutput {
  readonly hookEventName: 'PermissionDenied';
  /** The model may try the call again. */
  readonly retry?: boolean | undefined;
}

interface UserPromptSubmitOutput extends ContextOutput<'UserPromptSubmit'> {
  readonly sessionTitle?: string | undefined;
  readonly suppressOriginalPrompt?: boolean | undefined;
}

interface UserPromptExpansionOutput extends ContextOutput<'UserPromptExpansion'> {
  readonly suppressOriginalPrompt?: boolean | undefined;
}

interface SessionStartOutput extends ContextOutput<'SessionStart'> {
  readonly initialUserMessage?: string | undefined;
  readonly sessionTitle?: string | undefined;
  readonly watchPaths?: readonly string[] | undefined;
  readonly reloadSkills?: boolean | undefined;
}

interface PreModelSwitchOutput {
  readonly hookEventName: 'PreModelSwitch';
  readonly permissionDecision?: 'allow' | 'deny' | 'ask' | undefined;
  readonly permissionDecisionReason?: string | undefined;
}

interface ElicitationOutput<Event extends HookEvent> {
  readonly hookEventName: Event;
  readonly action?: 'accept' | 'decline' | 'cancel' | undefined;
  readonly content?: Readonly<Record<string, unknown>> | undefined;
}

interface WatchPathsOutput<Event extends HookEvent> {
  readonly hookEventName: Event;
  /** Files whose changes are to be reported as `FileChanged`. */
  readonly watchPaths?: readonly string[] | undefined;
}

interface WorktreeCreateOutput {
  readonly hookEventName: 'WorktreeCreate';
  /** Where the hook made the worktree. */
  readonly worktreePath: string;
}

interface MessageDisplayOutput {
  readonly hookEventName: 'MessageDisplay';
  /** Shown in place of the text. */
  readonly displayContent?: string | undefined;
}
