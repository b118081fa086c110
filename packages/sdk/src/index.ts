export { allow, deny } from '@hexagent/permissions';
export type { DecidedBy, PermissionRules, PolicyDecision, PolicyMode } from '@hexagent/permissions';
export {
  AbortError,
  AgentExitedError,
  isResult,
  isSystem,
  SdkError,
  textDeltaOf,
  textOf,
  toolResultsOf,
  toolUsesOf,
} from '@hexagent/ports';
export type {
  AgentMessage,
  AgentProtocol,
  AnyMessage,
  Approver,
  AssistantMessage,
  Clock,
  CompletedTurn,
  ContentBlock,
  ControlAnswer,
  ControlArguments,
  ControlFields,
  ControlRequests,
  ControlSubtype,
  DialledServer,
  DialogHost,
  Elicitor,
  ErrorCode,
  ErrorResult,
  Exit,
  FailedTurn,
  FrameParser,
  Hint,
  HookEvent,
  HookInputOf,
  HookMatcher,
  HookOutput,
  HookSpecificOutputOf,
  HookTable,
  Ids,
  InitializeResult,
  InitMessage,
  InterruptOutcome,
  Launch,
  Launcher,
  McpServer,
  MessageOf,
  ObservedEvent,
  Observer,
  PartialMessage,
  PermissionAnswer,
  PermissionContext,
  PermissionRequest,
  SessionFeature,
  ResultMessage,
  StreamEvent,
  Subagent,
  SuccessResult,
  SystemMessage,
  SystemMessageOf,
  TerminalReason,
  ToolResultBlock,
  ToolUseBlock,
  Transport,
  Turn,
  TurnOutcome,
  Usage,
  UserInput,
  UserMessage,
  Uuid,
} from '@hexagent/ports';
export type { Answer } from '@hexagent/querying';
export { hintOf } from '@hexagent/streaming';
export type { Parts } from './parts.ts';
export { createSdk, type Sdk } from './create-sdk.ts';
export { ask, openSession } from './default-sdk.ts';
export type { Environment } from './environment.ts';
export { formatCost } from './format-cost.ts';
export type { Session, SessionControl } from './session.ts';
export type { PermissionExplanation, SessionPolicy } from './session-policy.ts';
export type { SessionOptions, SessionPermissions } from './session-options.ts';
export { createSdkMcpServer, tool } from './own-server.ts';
export type {
  AnyZodRawShape,
  CallToolResult,
  InferShape,
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolContent,
  ToolExtra,
} from '@hexagent/mcp-sdk-server';
