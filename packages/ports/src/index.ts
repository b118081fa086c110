export type { Clock, Ids } from './chance.ts';
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
export { AbortError, AgentExitedError, remedies, SdkError } from './errors.ts';
export type { ErrorCode } from './errors.ts';
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
export type { DialogAnswer, DialogHost, DialogRequest, ElicitationAnswer, ElicitationRequest, Elicitor, InteractionContext } from './interaction.ts';
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
export type { JsonRpcMessage, McpClientSide, McpServer, McpSession } from './mcp.ts';
export type {
  AgentMessage,
  ApiRetryMessage,
  AssistantMessage,
  BackgroundTask,
  BackgroundTasksChangedMessage,
  BlockSource,
  CliPermissionMode,
  CommandLifecycleMessage,
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  InitMessage,
  ModelUsage,
  OtherSystemMessage,
  PartialMessage,
  PermissionDenial,
  RedactedThinkingBlock,
  ResultMessage,
  SessionScoped,
  SessionStateMessage,
  StreamDelta,
  StreamEvent,
  SystemMessage,
  TaskNotificationMessage,
  TaskStartedMessage,
  TextBlock,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
  UnknownBlock,
  UnknownMessage,
  Usage,
  UserInput,
  UserMessage,
} from './messages.ts';
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
