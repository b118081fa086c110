export { allow, deny } from '@hexagent/permissions';
export { AbortError, AgentExitedError, SdkError } from '@hexagent/ports';
export type {
  AgentMessage,
  AgentProtocol,
  Approver,
  Clock,
  CompletedTurn,
  ContentBlock,
  Conversation,
  DialledServer,
  DialogHost,
  Elicitor,
  ErrorCode,
  Exit,
  FailedTurn,
  FrameParser,
  Hint,
  HookCallback,
  HookInput,
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
export type { Parts } from './compose.ts';
export { createSdk } from './create-sdk.ts';
export type { Sdk } from './create-sdk.ts';
export { ask, openSession } from './default-sdk.ts';
export type { Environment } from './environment.ts';
export { formatCost, isResult, textDeltaOf, textOf, toolUsesOf } from './reading.ts';
export type { Session, SessionControl } from './session.ts';
export type { SessionOptions, SessionPermissions } from './session-options.ts';
