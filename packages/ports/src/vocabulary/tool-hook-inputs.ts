import type { PermissionUpdate } from './permission-values.ts';
import type { McpServerProvenance } from './values.ts';

/*
 * What the input of every hook has, and what hooks about calls of tools get beside it.
 */

/** What the input of every hook has. */
export interface HookInputFields {
  readonly session_id: string;
  readonly transcript_path: string;
  readonly cwd: string;
  readonly prompt_id?: string;
  readonly permission_mode?: string;
  /** Set when the event happens inside a subagent. */
  readonly agent_id?: string;
  readonly agent_type?: string;
  readonly effort?: { readonly level: string };
}

export interface Input<Event extends string> extends HookInputFields {
  readonly hook_event_name: Event;
}

export interface ToolCallInput<Event extends string> extends Input<Event> {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly mcp_server?: McpServerProvenance;
}

/** A tool is about to run. Sent for every call, those allowed by rule included. */
export interface PreToolUseInput extends ToolCallInput<'PreToolUse'> {}

/** A tool has run. */
export interface PostToolUseInput extends ToolCallInput<'PostToolUse'> {
  /** The tool's result in the tool's own structure. */
  readonly tool_response: unknown;
  readonly duration_ms?: number;
}

/** A tool has failed. */
export interface PostToolUseFailureInput extends ToolCallInput<'PostToolUseFailure'> {
  readonly error: string;
  readonly is_interrupt?: boolean;
  readonly duration_ms?: number;
}

/** All calls that ran in parallel have ended. */
export interface PostToolBatchInput extends Input<'PostToolBatch'> {
  readonly tool_calls: readonly PostToolBatchCall[];
}

/** One of the calls that ran in parallel. */
export interface PostToolBatchCall {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly tool_use_id: string;
  readonly tool_response?: unknown;
}

/** A tool call needs a decision. Races with `onAsk`: the first answer counts. */
export interface PermissionRequestInput extends Input<'PermissionRequest'> {
  readonly tool_name: string;
  readonly tool_input: unknown;
  readonly permission_suggestions?: readonly PermissionUpdate[];
  readonly mcp_server?: McpServerProvenance;
}

/** A tool call was denied without asking. */
export interface PermissionDeniedInput extends ToolCallInput<'PermissionDenied'> {
  readonly reason: string;
}
