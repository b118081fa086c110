import type { ControlRequests, ElicitationRequest, HookRequest, PermissionRequest } from '@hexagent/ports';

import type { AgentDefinition, SdkPluginConfig } from './common.ts';
import type { HookEvent, HookInput } from './hooks.ts';
import type { SDKActiveGoalMessage, SDKMessage } from './messages.ts';
import type { JsonRpcMessage } from './json-rpc.ts';
import type { McpServerConfigForProcessTransport, McpServerProvenance, McpServerToolPolicy } from './mcp.ts';
import type { Mutable, Official } from './mutable.ts';
import type { PermissionUpdate } from './permissions.ts';

/** A request on the wire, in either direction. Narrow it by `request.subtype`. */
export type SDKControlRequest = {
  type: 'control_request';
  request_id: string;
  request: Initialize | PlainRequest | ReloadPlugins | SetServers | AskedByAgent | ServerMessage;
};

/** A request whose fields are those of the vocabulary. */
type PlainRequest = { [Name in PlainName]: { subtype: Name } & FieldsOf<ControlRequests[Name]['fields']> }[PlainName];

// Those that the official package has no type for, and those that are written out below.
type PlainName = Exclude<
  keyof ControlRequests,
  | 'claim_session'
  | 'end_session'
  | 'generate_session_title'
  | 'mcp_authenticate'
  | 'mcp_clear_auth'
  | 'mcp_oauth_callback_url'
  | 'rewind_conversation'
  | 'set_mcp_permission_mode_override'
  | 'side_question'
  | 'initialize'
  | 'mcp_message'
  | 'mcp_set_servers'
  | 'reload_plugins'
>;

// What takes no fields is a record of nothing, in which no subtype could be.
type FieldsOf<Fields> = string extends keyof Fields ? unknown : Mutable<Fields>;

type Initialize = {
  subtype: 'initialize';
  hooks?: Partial<
    Record<
      HookEvent,
      { matcher?: string; hookCallbackIds: string[]; timeout?: number; onFailure?: 'continue' | 'block' }[]
    >
  >;
  sdkMcpServers?: string[];
  sdkMcpServerConfigs?: Record<string, { timeout?: number; tools?: McpServerToolPolicy[] }>;
  sdkMcpServerManifests?: Record<
    string,
    { initializeResult: Record<string, unknown>; toolsListResult?: Record<string, unknown> }
  >;
  sdkMcpServerManifestsOrigin?: 'host_per_send';
  jsonSchema?: Record<string, unknown>;
  systemPrompt?: string[];
  appendSystemPrompt?: string;
  systemPromptSnapshot?: boolean;
  planModeInstructions?: string;
  toolAliases?: Record<string, string>;
  excludeDynamicSections?: boolean;
  agents?: Record<string, AgentDefinition>;
  title?: string;
  skills?: string[];
  promptSuggestions?: boolean;
  agentProgressSummaries?: boolean;
  forwardSubagentText?: boolean;
  supportedDialogKinds?: string[];
  perTaskStopAffordance?: boolean;
  plugins?: SdkPluginConfig[];
  mcpServers?: Record<string, McpServerConfigForProcessTransport>;
};

type ReloadPlugins = {
  subtype: 'reload_plugins';
  hold_on_cache_impact?: boolean;
  add_plugins?: SdkPluginConfig[];
  refuse_if_busy?: boolean;
};

type SetServers = { subtype: 'mcp_set_servers'; servers: Record<string, McpServerConfigForProcessTransport> };

/** From an in-process server, or to it. */
type ServerMessage = { subtype: 'mcp_message'; server_name: string; message: JsonRpcMessage };

type AskedByAgent = AskForPermission | CallHook | Elicit | ShowDialog;

type AskForPermission = { subtype: 'can_use_tool' } & Official<
  PermissionRequest,
  {
    input: Record<string, unknown>;
    permission_suggestions?: PermissionUpdate[];
    mcp_server?: McpServerProvenance;
    decision_reason_type?: DecisionReasonType;
  },
  OfficialPermissionField
>;

type OfficialPermissionField = Exclude<
  keyof PermissionRequest,
  | 'computer_folder'
  | 'decision_reason_code'
  | 'decision_reason_hook_event'
  | 'decision_reason_hook_source'
  | 'plugin'
  | 'server_policy_ask_only'
  | 'server_prompt'
>;

type DecisionReasonType =
  | 'rule'
  | 'mode'
  | 'subcommandResults'
  | 'permissionPromptTool'
  | 'hook'
  | 'asyncAgent'
  | 'sandboxOverride'
  | 'workingDir'
  | 'safetyCheck'
  | 'classifier'
  | 'other';

type CallHook = { subtype: 'hook_callback' } & Official<HookRequest, { input: HookInput }>;

type Elicit = { subtype: 'elicitation'; property_order?: string[] } & Official<ElicitationRequest>;

type ShowDialog = {
  subtype: 'request_user_dialog';
  dialog_kind: string;
  payload: Record<string, unknown>;
  tool_use_id?: string;
};

type Pending = {
  pending_permission_requests?: SDKControlRequest[];
  pending_user_dialog_requests?: SDKControlRequest[];
  pending_elicitation_requests?: SDKControlRequest[];
};

/** The answer to a request. */
export type SDKControlResponse = {
  type: 'control_response';
  response:
    | ({ subtype: 'success'; request_id: string; response?: Record<string, unknown> } & Pending)
    | ({ subtype: 'error'; request_id: string; error: string } & Pending);
};

/** A request is withdrawn. */
type ControlCancel = { type: 'control_cancel_request'; request_id: string };

/** A sign of life. */
type KeepAlive = { type: 'keep_alive' };

/** What a line of the agent holds. */
type Line = SDKMessage | SDKActiveGoalMessage | SDKControlRequest | SDKControlResponse | ControlCancel | KeepAlive;

/**
 * The inside of an official query. No option takes one; `transport` in `OwnOptions` takes the port of
 * `@hexagent/ports`, which has the same name there.
 */
export interface Transport {
  write(data: string): void | Promise<void>;
  close(): void;
  isReady(): boolean;
  readMessages(): AsyncGenerator<Line, void, unknown>;
  expectControlResponse?(requestId: string): void;
  markDelivered?(message: object): void;
  endInput(): void;
  waitForExit?(): Promise<void>;
  [Symbol.dispose]?(): void;
}
