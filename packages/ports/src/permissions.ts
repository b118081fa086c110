import type { PermissionAnswer, PermissionUpdate } from './vocabulary/permission-values.ts';
import type { McpServerProvenance } from './vocabulary/values.ts';

/*
 * May this tool run? The request is the agent's own; the answer is what the agent accepts.
 */

/** Decides about one tool call. */
export interface PermissionGate {
  /** `null`: someone else answers this request. A rejection denies with the error's message. */
  decide(request: PermissionRequest, context: PermissionContext): Promise<PermissionAnswer | null>;
}

/** What comes with a request. */
export interface PermissionContext {
  /** The agent's own id for the request. */
  readonly requestId: string;
  /** Aborts when the agent withdraws the request: no answer is needed any more. */
  readonly signal: AbortSignal;
}

/** The call that the agent requests permission for, with the names of the wire. */
export interface PermissionRequest {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly tool_use_id: string;
  readonly display_name?: string;
  readonly description?: string;
  readonly title?: string;
  readonly permission_suggestions?: readonly PermissionUpdate[];
  readonly blocked_path?: string;
  readonly decision_reason?: string;
  readonly decision_reason_type?: string;
  /** A more exact reason than the type for requesting permission. */
  readonly decision_reason_code?: string;
  /** The hook that returned `ask` for the call, with `decision_reason_type` of `hook`. */
  readonly decision_reason_hook_event?: string;
  readonly decision_reason_hook_source?: string;
  readonly classifier_approvable?: boolean;
  readonly suppress_always_allow_rule?: boolean;
  readonly default_to_no?: boolean;
  /** The ask rule without content that covers the call. One with content shows as a reason of the type `rule`. */
  readonly matched_ask_rule?: { readonly source: string; readonly tool_name: string; readonly rule_content?: string };
  /** The tool is a question to a person; a rule cannot answer it. */
  readonly requires_user_interaction?: boolean;
  /** Set when only a policy of the server requires permission for the call. */
  readonly server_policy_ask_only?: boolean;
  readonly mcp_server?: McpServerProvenance;
  readonly agent_id?: string;
  /** The plugin that the tool belongs to. */
  readonly plugin?: string;
  /** A text of the tool's server for the person. */
  readonly server_prompt?: string;
  /** A folder of another computer that the call concerns. */
  readonly computer_folder?: { readonly path: string; readonly computer_name: string };
}
