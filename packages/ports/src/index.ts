/* oxlint-disable max-lines -- a list of names, one on a line */
export type {
  AgentRequests,
  AgentRequestSubtype,
  RequestHandlers,
  ServerMessage,
  UntypedHandlers,
} from './agent-requests.ts';
export type {
  ChatAnswer,
  ChatApprovals,
  ChatCaller,
  ChatDoor,
  ChatHistory,
  ChatHistoryPage,
  ChatInput,
  ChatSessions,
  ChatSettlement,
  ChatStart,
  ChatState,
  ChatStream,
  ChatSummary,
  ChatSendOptions,
} from './chat.ts';
export type { Clock, Ids } from './clock-and-ids.ts';
export type { CommandReader, CommandReading, CommandShell, CommandWord, CommandWords } from './commands.ts';
export type { AskFact, CacheFact, ConversationEvent, ConversationFact, EventsOptions } from './conversation-events.ts';
export type {
  Conversation,
  ConversationOptions,
  ConversationProgress,
  Conversations,
  InterruptOutcome,
  Turn,
} from './conversations.ts';
export type {
  ConversationRewind,
  HooksListing,
  InterruptReceipt,
  McpResource,
  McpServersChange,
  McpSignIn,
  McpServerStatus,
  PermissionRuleEntry,
  PermissionRulesState,
  PluginsReload,
  ReadFileAnswer,
  RewindReport,
  SettingsParseError,
  SettingsReport,
} from './control-answers.ts';
export type {
  ControlAnswer,
  ControlArguments,
  ControlFields,
  ControlRequests,
  ControlSubtype,
  RequestOptions,
} from './control-requests.ts';
export type { ContextCategory, ContextSquare, ContextWindow } from './context-window.ts';
export type {
  ApprovalAuditEntry,
  ApprovalFilter,
  ApprovalKind,
  ApprovalRecord,
  ApprovalState,
  ApprovalStore,
  OfferedAnswer,
  SettleOutcome,
  Settlement,
} from './approval-store.ts';
export { nobodyDecidedWithin } from './nobody-decided.ts';
export { allowRulesIn, rememberDestinations, ruleText } from './suggested-rules.ts';
export type { StoredIn } from './suggested-rules.ts';
export { AbortError, AgentExitedError, markAsSdkError, remedies, SdkError, TurnError } from './errors.ts';
export type { ErrorCode } from './errors.ts';
export { cameWith, explainRefusal } from './came-with.ts';
export { unsupportedError } from './unsupported.ts';
export { explainExit, formatExit } from './explain-exit.ts';
export { mayBeAsked, withFeatures } from './features.ts';
export type { Amendments, FeatureControl, SessionFeature } from './features.ts';
export type {
  ControlCancelFrame,
  ControlRequest,
  ControlRequestFrame,
  ControlResponse,
  ControlResponseFrame,
  Frame,
  FrameParser,
  OutboundFrame,
  TranscriptMirrorFrame,
  UserFrame,
} from './frames.ts';
export type {
  DialogAnswer,
  DialogHost,
  DialogRequest,
  ElicitationAnswer,
  ElicitationRequest,
  Elicitor,
  InteractionContext,
} from './interaction.ts';
export type { AccountInfo, AgentInfo, InitializeResult, ModelInfo, SdkMcpManifestState } from './introduction.ts';
export type {
  Delivery,
  ConfigFile,
  ConfigFolder,
  InitializeFields,
  Launch,
  LaunchArgument,
  Launcher,
  LaunchFile,
  LaunchFolder,
  LaunchOptions,
  OutputFormat,
  Plugin,
  SystemPrompt,
  Thinking,
  ToolConfig,
} from './launch.ts';
export type { HostContext } from './host-context.ts';
export type { AgentOpener, AgentRequest, AgentRequestOptions, HostedAgent, SessionFacts } from './hosted-sessions.ts';
export type { Lease, LeaseAnswer, LeaseStore, Membership, Worker, WorkerState } from './lease-store.ts';
export { rpcCodes } from './mcp.ts';
export type {
  JsonRpcMessage,
  McpCallContext,
  McpClientSide,
  McpManifest,
  McpServer,
  McpServerFailure,
  McpServerSettings,
  McpSession,
  McpToolPolicy,
} from './mcp.ts';
export { McpNotReady } from './session-mcp.ts';
export type { McpReadyOptions, McpServerState, McpToolResult, SessionMcpServers } from './session-mcp.ts';
export type { ObservedEvent, ObservedFact, Observer } from './observer.ts';
export type { OutboxAnswer, OutboxEntry, OutboxMessage, OutboxState, OutboxStore } from './outbox-store.ts';
export type { SessionSignal, SessionSignals } from './session-signals.ts';
export type { AgentProtocol, Channel, Host, ProtocolOptions } from './protocol.ts';
export { listSessionRecords } from './session-directory.ts';
export type { SessionDirectory, SessionQuery, SessionRecord } from './session-directory.ts';
export type { SessionEvent, SessionFact, SessionState } from './session-facts.ts';
export type { LogPlace, SessionLog } from './session-log.ts';
export type { Exit } from './exit.ts';
export type {
  FindStoredSession,
  ForkStoredSession,
  ListStoredSessions,
  Page,
  ReadStoredMessages,
  StoredMessage,
  StoredSession,
  StoredSessions,
} from './stored-sessions.ts';
export type {
  ArchiveMark,
  ConversationEntryType,
  EntryHead,
  EntryIndex,
  IndexedEntry,
  Outline,
  OutlineRequest,
  PreservedMessages,
  SessionTranscript,
  SubagentTranscript,
  Transcript,
  TranscriptEntry,
  TranscriptPart,
  Transcripts,
  TranscriptScope,
} from './transcripts.ts';
export type {
  ListedSession,
  SessionKey,
  SessionStore,
  SessionStoreEntry,
  SessionSummaryEntry,
  TranscriptsOf,
} from './session-store.ts';
export type { TenantPlace, TenantPlaces } from './tenant-places.ts';
export type { Connection, Transport } from './transport.ts';
export type { UsageAndLimits, UsageBehaviors, UsageWindow } from './usage-and-limits.ts';
export type {
  CancelledTurn,
  CompletedTurn,
  FailedTurn,
  Hint,
  InterruptedTurn,
  OutputAttempt,
  TurnFailure,
  TurnOutcome,
  TurnReport,
} from './turn-outcome.ts';
export { cacheRemedies } from './prompt-cache.ts';
export type { CacheMissCause } from './prompt-cache.ts';
export type { Budget, BudgetUse } from './budget.ts';
export type { Ledger, Spending, SubagentSpending } from './spending.ts';
export { warningMeanings } from './warnings.ts';
export type { Warning, WarningCode, WarningListener } from './warnings.ts';
export type { HookDispatcher, HookMatcherRegistration, HookRegistration, HookRequest } from './hooks.ts';
export type { PermissionContext, PermissionGate, PermissionRequest } from './permissions.ts';
export type {
  Ask,
  AskAnswer,
  AskHandler,
  CallAsk,
  DialogAsk,
  ElicitationAsk,
  PermissionAsk,
  PlanAsk,
  QuestionAsk,
  AskEnd,
  AnswerReceipt,
  Asker,
  Decision,
  Denial,
  ModeAfterPlan,
  PendingRequests,
  PlanApproval,
  QuestionAnswer,
  RememberScope,
  SuggestionNote,
} from './approvals.ts';

// What each built-in tool takes, by its name. The types of single tools are in the entry `./tools`.
export type { AnyToolInput, ReadonlyDeep, ToolInputs, ToolName } from './tools/inputs.ts';

// The vocabulary.
export type {
  AnswerBlock,
  CacheControl,
  Citation,
  CompactionBlock,
  ContainerUploadBlock,
  ContentBlock,
  DocumentBlock,
  DocumentSource,
  FallbackBlock,
  ImageBlock,
  ImageSource,
  InputBlock,
  McpToolListingBlock,
  McpToolResultBlock,
  McpToolUseBlock,
  RedactedThinkingBlock,
  SearchResultBlock,
  ServerToolResultBlock,
  ServerToolUseBlock,
  TextBlock,
  ThinkingBlock,
  ToolReferenceBlock,
  ToolResultBlock,
  ToolResultPart,
  ToolUseBlock,
  UnknownBlock,
} from './vocabulary/content.ts';
export { withArgs, type DialledServer } from './vocabulary/dialled-server.ts';
export type {
  BackgroundTaskSummary,
  HookEvent,
  HookInput,
  HookInputOf,
  SessionCronSummary,
} from './vocabulary/hook-inputs.ts';
export type { HookInputFields, PostToolBatchCall } from './vocabulary/tool-hook-inputs.ts';
export type {
  AsyncHookOutput,
  HookOutput,
  HookPermissionDecision,
  HookSpecificOutput,
  HookSpecificOutputOf,
  SyncHookOutput,
} from './vocabulary/hook-outputs.ts';
export type { HookCallback, HookContext, HookMatcher, HookTable } from './vocabulary/hook-table.ts';
export type {
  AgentMessage,
  AssistantMessage,
  CommandLifecycleMessage,
  ToolOutputMessage,
  MessageOf,
  PartialMessage,
  UnknownMessage,
  UserMessage,
} from './vocabulary/messages.ts';
export { BUILTIN_TOOL_NAMES, LEGACY_TOOL_NAME_ALIASES } from './vocabulary/tool-names.ts';
export type { UserInput } from './vocabulary/user-input.ts';
export type {
  CacheCreation,
  ContextManagement,
  CreditNotApplied,
  IterationUsage,
  MessageDelta,
  ModelMessage,
  StopReason,
  StreamDelta,
  StreamEvent,
  Usage,
} from './vocabulary/model-answers.ts';
export type { MessageOrigin } from './vocabulary/origin.ts';
export type {
  PermissionAnswer,
  PermissionBehavior,
  PermissionDecisionClassification,
  PermissionDestination,
  PermissionRuleValue,
  PermissionUpdate,
} from './vocabulary/permission-values.ts';
export type {
  ContextUsage,
  ContextUsageCategory,
  ExtraUsage,
  ModelUsage,
  RateLimitInfo,
  SessionUsage,
  UsageReport,
} from './vocabulary/reports.ts';
export type {
  DeferredToolUse,
  ErrorResult,
  PermissionDenial,
  ResultMessage,
  SuccessResult,
} from './vocabulary/results.ts';
export { isResult, isSystem, textDeltaOf, textOf, toolResultsOf, toolUsesOf } from './vocabulary/reading.ts';
export type { AnyMessage } from './vocabulary/reading.ts';
export type { SessionScoped } from './vocabulary/session-scoped.ts';
export type { Subagent } from './vocabulary/subagent.ts';
export type {
  AgentStatus,
  ApiRetryMessage,
  InitMessage,
  PluginError,
  SessionStateMessage,
  SystemMessage,
  SystemMessageOf,
  UnknownSystemMessage,
} from './vocabulary/system-messages.ts';
export type {
  BackgroundTask,
  BackgroundTasksChangedMessage,
  McpResourceLink,
  TaskMessage,
  TaskNotificationMessage,
  TaskStartedMessage,
} from './vocabulary/task-messages.ts';
export type {
  ApiKeySource,
  AssistantError,
  CliPermissionMode,
  EffortLevel,
  ExitReason,
  FastModeDisabledReason,
  FastModeState,
  McpServerProvenance,
  SlashCommand,
  StartupFailureReason,
  TerminalReason,
  Uuid,
} from './vocabulary/values.ts';
