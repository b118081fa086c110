export { allow, deny } from '@hexagent/permissions';
export { AbortError, AgentExitedError, SdkError } from '@hexagent/ports';
export type {
  AgentMessage,
  AgentProtocol,
  Approver,
  Clock,
  CompletedTurn,
  ContentBlock,
  DialledServer,
  DialogHost,
  Elicitor,
  ErrorCode,
  Exit,
  FailedTurn,
  FrameParser,
  Hint,
  HookMatcher,
  HookOutput,
  HookTable,
  Ids,
  InitializeResult,
  InterruptOutcome,
  Launch,
  Launcher,
  McpServer,
  Observer,
  ObservedEvent,
  PermissionAnswer,
  PermissionRequest,
  Transport,
  Turn,
  TurnOutcome,
  UserInput,
} from '@hexagent/ports';
export type { Answer } from '@hexagent/querying';
export { hintOf } from '@hexagent/streaming';
export type { Parts } from './parts.ts';
export { createSdk, type Sdk } from './create-sdk.ts';
export { ask, openSession } from './default-sdk.ts';
export type { Environment } from './environment.ts';
export { formatCost, isResult, textDeltaOf, textOf, toolUsesOf } from './reading.ts';
export type { Session, SessionControl } from './session.ts';
export type { SessionOptions, SessionPermissions, Subagent } from './session-options.ts';
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
