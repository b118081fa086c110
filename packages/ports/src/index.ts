export type { Clock, Ids } from './clock-and-ids.ts';
export type {
  CancelledTurn,
  CompletedTurn,
  Conversation,
  ConversationOptions,
  Conversations,
  FailedTurn,
  Hint,
  InterruptedTurn,
  InterruptOutcome,
  Turn,
  TurnOutcome,
  TurnReport,
} from './conversations.ts';
export { errorText } from './error-text.ts';
export { jsonCopy } from './json-copy.ts';
export type { JsonCopy, JsonCopyOptions } from './json-copy.ts';
export { AbortError, AgentExitedError, remedies, SdkError } from './errors.ts';
export type { ErrorCode } from './errors.ts';
export { explainExit, formatExit } from './explain-exit.ts';
export type {
  ControlCancelFrame,
  ControlRequest,
  ControlRequestFrame,
  ControlResponse,
  ControlResponseFrame,
  Frame,
  FrameParser,
  OutboundFrame,
  UserFrame,
} from './frames.ts';
export type {
  HookCallback,
  HookDispatcher,
  HookInput,
  HookMatcher,
  HookMatcherRegistration,
  HookOutput,
  HookRegistration,
  HookRequest,
  HookTable,
} from './hooks.ts';
export type {
  DialogAnswer,
  DialogHost,
  DialogRequest,
  ElicitationAnswer,
  ElicitationRequest,
  Elicitor,
  InteractionContext,
} from './interaction.ts';
export type {
  DialledServer,
  InitializeFields,
  Launch,
  LaunchArgument,
  Launcher,
  LaunchFile,
  LaunchOptions,
  SystemPrompt,
  Thinking,
} from './launch.ts';
export { rpcCodes } from './mcp.ts';
export type { JsonRpcMessage, McpClientSide, McpServer, McpServerSettings, McpSession, McpToolPolicy } from './mcp.ts';
export type {
  BlockSource,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  ModelMessage,
  ModelUsage,
  RedactedThinkingBlock,
  StreamDelta,
  StreamEvent,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UnknownBlock,
  Usage,
} from './content.ts';
export type {
  AgentMessage,
  AssistantMessage,
  CommandLifecycleMessage,
  PartialMessage,
  PermissionDenial,
  ResultMessage,
  UnknownMessage,
  UserInput,
  UserMessage,
} from './messages.ts';
export type { SessionScoped } from './session-scoped.ts';
export type {
  ApiRetryMessage,
  BackgroundTask,
  BackgroundTasksChangedMessage,
  CliPermissionMode,
  InitMessage,
  OtherSystemMessage,
  SessionStateMessage,
  SystemMessage,
  TaskNotificationMessage,
  TaskStartedMessage,
} from './system-messages.ts';
export { checkBytes, checkDelay } from './numbers.ts';
export type { ObservedEvent, Observer } from './observer.ts';
export type {
  Approver,
  PermissionAnswer,
  PermissionContext,
  PermissionDestination,
  PermissionGate,
  PermissionRequest,
  PermissionRuleValue,
  PermissionUpdate,
} from './permissions.ts';
export type {
  AgentProtocol,
  Channel,
  Host,
  HostContext,
  InitializeResult,
  ProtocolOptions,
  RequestOptions,
} from './protocol.ts';
export type { Connection, Exit, Transport } from './transport.ts';
export { warningMeanings } from './warnings.ts';
export type { Warning, WarningCode, WarningListener } from './warnings.ts';
export { isRecord, kindOf, shown } from './values.ts';
