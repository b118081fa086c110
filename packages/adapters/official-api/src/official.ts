/* oxlint-disable max-lines -- a list of names, one on a line */
/*
 * Names of the official package that need no other part. The door of the drop-in has all of them, so what is not one of its names is in
 * `index.ts`. The list is held to the official one by `scripts/test/doors.test.ts`.
 */
export { AbortError } from '@hexagent/ports';
export {
  BUILTIN_TOOL_NAMES,
  EXIT_REASONS,
  HOOK_EVENTS,
  LEGACY_TOOL_NAME_ALIASES,
  ORG_POLICY_LIMIT_PREFIXES,
  SYSTEM_PROMPT_DYNAMIC_BOUNDARY,
  USAGE_LIMIT_ERROR_PREFIXES,
  USAGE_TRANSITION_PREFIXES,
  USAGE_WARNING_PREFIXES,
} from './constants.ts';
export { matchDeniedModels } from './denied-models.ts';
export { filterEscalatingDefaultMode } from './escalating-mode.ts';
export {
  CommandMatcher,
  DirectConnectError,
  DirectConnectTransport,
  FileIndex,
  parseDirectConnectUrl,
} from './without-types.ts';
export type { AgentDefinition, AgentMcpServerSpec } from './types/agents.ts';
export type {
  AccountInfo,
  AgentInfo,
  ApiKeySource,
  BaseOutputFormat,
  ConfigScope,
  EffortLevel,
  ExitReason,
  FastModeDisabledReason,
  FastModeState,
  JsonSchemaOutputFormat,
  ModelInfo,
  ModelUsage,
  NonNullableUsage,
  OutputFormat,
  OutputFormatType,
  PermissionMode,
  SDKAssistantMessageError,
  SdkBeta,
  SdkPluginConfig,
  SettingSource,
  SlashCommand,
  TerminalReason,
  ThinkingAdaptive,
  ThinkingConfig,
  ThinkingDisabled,
  ThinkingEnabled,
  ToolConfig,
} from './types/common.ts';
export type { SDKControlGetContextUsageResponse } from './types/context-usage.ts';
export type {
  RewindFilesResult,
  SDKControlGetUsageResponse,
  SDKControlInitializeResponse,
  SDKControlInterruptResponse,
  SDKControlMcpReadResourceResponse,
  SDKControlReadFileResponse,
  SDKControlReloadOutputStylesResponse,
  SDKControlReloadPluginsResponse,
  SDKControlReloadSkillsResponse,
} from './types/control.ts';
export type {
  BackgroundTaskSummary,
  BaseHookInput,
  ConfigChangeHookInput,
  CwdChangedHookInput,
  DirectoryAddedHookInput,
  ElicitationHookInput,
  ElicitationResultHookInput,
  FileChangedHookInput,
  InstructionsLoadedHookInput,
  MessageDisplayHookInput,
  NotificationHookInput,
  PermissionDeniedHookInput,
  PermissionRequestHookInput,
  PostCompactHookInput,
  PostModelSwitchHookInput,
  PostToolBatchHookInput,
  PostToolBatchToolCall,
  PostToolUseFailureHookInput,
  PostToolUseHookInput,
  PreCompactHookInput,
  PreModelSwitchHookInput,
  PreToolUseHookInput,
  SessionCronSummary,
  SessionEndHookInput,
  SessionStartHookInput,
  SetupHookInput,
  StopFailureHookInput,
  StopHookInput,
  SubagentStartHookInput,
  SubagentStopHookInput,
  TaskCompletedHookInput,
  TaskCreatedHookInput,
  TeammateIdleHookInput,
  UserPromptExpansionHookInput,
  UserPromptSubmitHookInput,
  WorktreeCreateHookInput,
  WorktreeRemoveHookInput,
} from './types/hook-inputs.ts';
export type {
  AsyncHookJSONOutput,
  CwdChangedHookSpecificOutput,
  ElicitationHookSpecificOutput,
  ElicitationResultHookSpecificOutput,
  FileChangedHookSpecificOutput,
  HookJSONOutput,
  HookPermissionDecision,
  MessageDisplayHookSpecificOutput,
  NotificationHookSpecificOutput,
  PermissionDeniedHookSpecificOutput,
  PermissionRequestHookSpecificOutput,
  PostModelSwitchHookSpecificOutput,
  PostToolBatchHookSpecificOutput,
  PostToolUseFailureHookSpecificOutput,
  PostToolUseHookSpecificOutput,
  PreModelSwitchHookSpecificOutput,
  PreToolUseHookSpecificOutput,
  SessionStartHookSpecificOutput,
  SetupHookSpecificOutput,
  StopHookSpecificOutput,
  SubagentStartHookSpecificOutput,
  SubagentStopHookSpecificOutput,
  SyncHookJSONOutput,
  UserPromptExpansionHookSpecificOutput,
  UserPromptSubmitHookSpecificOutput,
  WorktreeCreateHookSpecificOutput,
} from './types/hook-outputs.ts';
export type { HookCallback, HookCallbackMatcher, HookEvent, HookInput } from './types/hooks.ts';
export type {
  ElicitationRequest,
  ElicitationResult,
  OnElicitation,
  OnUserDialog,
  UserDialogRequest,
  UserDialogResult,
} from './types/interaction.ts';
export type {
  McpClaudeAIProxyServerConfig,
  McpHttpServerConfig,
  McpSdkServerConfig,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  McpServerConfigForProcessTransport,
  McpServerProvenance,
  McpServerStatus,
  McpServerStatusConfig,
  McpServerToolPolicy,
  McpSetServersResult,
  McpSSEServerConfig,
  McpStdioServerConfig,
} from './types/mcp.ts';
export type {
  SDKActiveGoalMessage,
  SDKAssistantMessage,
  SDKAuthStatusMessage,
  SDKConversationResetMessage,
  SDKMessage,
  SDKPartialAssistantMessage,
  SDKPromptSuggestionMessage,
  SDKToolProgressMessage,
  SDKToolUseSummaryMessage,
  SDKUserMessage,
  SDKUserMessageReplay,
} from './types/messages.ts';
export type { Options, OwnOptions } from './types/options.ts';
export type {
  CanUseTool,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionResult,
  PermissionRuleValue,
  PermissionUpdate,
  PermissionUpdateDestination,
} from './types/permissions.ts';
export type { SpawnedProcess, SpawnOptions } from './types/process.ts';
export type { Query } from './types/query.ts';
export type { SDKContextUsage, SDKContextUsageCategory, SDKUsageReport } from './types/reports.ts';
export type {
  SDKDeferredToolUse,
  SDKPermissionDenial,
  SDKResultError,
  SDKResultMessage,
  SDKResultSuccess,
  SDKStartupFailureReason,
} from './types/results.ts';
export type {
  SandboxCredentialsConfig,
  SandboxFilesystemConfig,
  SandboxIgnoreViolations,
  SandboxNetworkConfig,
  SandboxSettings,
} from './types/sandbox.ts';
export type {
  InMemorySessionStore,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionStoreFlush,
  SessionSummaryEntry,
} from './types/session-store.ts';
export type { Settings } from './types/settings.ts';
export type {
  SDKAPIRetryMessage,
  SDKCommandsChangedMessage,
  SDKCompactBoundaryMessage,
  SDKControlRequestProgressMessage,
  SDKElicitationCompleteMessage,
  SDKFilesPersistedEvent,
  SDKHookProgressMessage,
  SDKHookResponseMessage,
  SDKHookStartedMessage,
  SDKInformationalMessage,
  SDKLocalCommandOutputMessage,
  SDKMemoryRecallMessage,
  SDKMirrorErrorMessage,
  SDKModelRefusalFallbackMessage,
  SDKModelRefusalNoFallbackMessage,
  SDKNotificationMessage,
  SDKPermissionDeniedMessage,
  SDKPluginInstallMessage,
  SDKSessionStateChangedMessage,
  SDKSessionWritesLostMessage,
  SDKStatus,
  SDKStatusMessage,
  SDKSystemMessage,
  SDKThinkingTokensMessage,
  SDKWorkerShuttingDownMessage,
} from './types/system-messages.ts';
export type {
  SDKBackgroundTasksChangedMessage,
  SDKMcpResourceLink,
  SDKTaskNotificationMessage,
  SDKTaskProgressMessage,
  SDKTaskStartedMessage,
  SDKTaskUpdatedMessage,
} from './types/task-messages.ts';
export type { SDKRateLimitEvent, SDKRateLimitInfo } from './types/rate-limits.ts';
export type { SDKMessageOrigin } from './types/origin.ts';
export type { SDKControlRequest, SDKControlResponse } from './types/control-frames.ts';
export type { Transport } from './types/transport.ts';
export type {
  SDKControlListPermissionRulesResponse,
  SDKControlPermissionRulesState,
  SDKPermissionRuleDescription,
  SDKPermissionRuleEntry,
  SDKPermissionWorkspaceDirectory,
} from './types/permission-rules.ts';
export type { ClaimOptions, SpareProcess, WarmQuery } from './types/prewarm.ts';
export type {
  DeniedModelsMatch,
  PolicySettingsOrigin,
  ProvenanceEntry,
  ResolvedSettings,
  ResolvedSettingSource,
  ResolveSettingsOptions,
  SDKSettingsParseError,
} from './types/resolved-settings.ts';
export type {
  ForkSessionOptions,
  ForkSessionResult,
  GetSessionInfoOptions,
  GetSessionMessagesOptions,
  GetSubagentMessagesOptions,
  ImportSessionToStoreOptions,
  ListSessionsOptions,
  ListSubagentsOptions,
  SDKSessionInfo,
  SessionMessage,
  SessionMutationOptions,
} from './types/stored-sessions.ts';
