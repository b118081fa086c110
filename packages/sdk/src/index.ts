export {
  allow,
  answerQuestions,
  approvePlan,
  declineQuestions,
  deny,
  rememberedRules,
  revisePlan,
} from '@hexagent/permissions';
export { rulesToRemember } from './rules-to-remember.ts';
export type { AllowOptions, ApproveOptions, AskedOf, QuestionAnswers, StoredRules } from '@hexagent/permissions';
export { createHooks, hooks, matchingTools } from '@hexagent/hooking';
export type { AuditRecord, HookCall, HookHandler, HookOptions, HookSet, ToolInput } from '@hexagent/hooking';
export type { DecidedBy, PermissionRules, PolicyDecision, PolicyMode, RuleLists } from '@hexagent/permissions';
export {
  AbortError,
  AgentExitedError,
  isResult,
  isSystem,
  McpNotReady,
  SdkError,
  textOf,
  toolResultsOf,
  toolUsesOf,
  TurnError,
} from '@hexagent/ports';
export { command, docker, ssh } from '@hexagent/remote-transport';
export type { DockerOptions, PlaceOptions, RemoteCommand, SshOptions } from '@hexagent/remote-transport';
export { textDeltaOf } from './text-delta.ts';
export type {
  AgentMessage,
  AgentProtocol,
  AnswerReceipt,
  AnyMessage,
  Ask,
  AskAnswer,
  AskHandler,
  AssistantMessage,
  CallAsk,
  Clock,
  CompletedTurn,
  ContentBlock,
  ControlAnswer,
  ControlArguments,
  ControlFields,
  ControlRequests,
  ControlSubtype,
  Decision,
  Denial,
  DialledServer,
  DialogAnswer,
  DialogAsk,
  ElicitationAnswer,
  ElicitationAsk,
  ErrorCode,
  ErrorResult,
  Exit,
  FailedTurn,
  FindStoredSession,
  ForkStoredSession,
  FrameParser,
  Hint,
  HookContext,
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
  ListStoredSessions,
  McpReadyOptions,
  McpResource,
  McpServer,
  McpServersChange,
  McpServerState,
  McpSignIn,
  McpToolResult,
  MessageOf,
  ObservedEvent,
  Observer,
  OutputAttempt,
  PartialMessage,
  ToolOutputMessage,
  PendingRequests,
  PermissionAnswer,
  PermissionAsk,
  PermissionContext,
  PermissionRequest,
  PlanApproval,
  PlanAsk,
  QuestionAnswer,
  QuestionAsk,
  ReadStoredMessages,
  RememberScope,
  RequestOptions,
  ResultMessage,
  SessionFeature,
  StoredMessage,
  StoredSession,
  StoredSessions,
  StreamEvent,
  SuccessResult,
  SystemMessage,
  SystemMessageOf,
  TerminalReason,
  ToolInputs,
  ToolName,
  ToolResultBlock,
  ToolUseBlock,
  Transport,
  TurnOutcome,
  Budget,
  BudgetUse,
  Ledger,
  Spending,
  SubagentSpending,
  Usage,
  UserMessage,
  Uuid,
} from '@hexagent/ports';
export type { Answer, AnswerOf, OutputAnswer } from './answer.ts';
export type { OutputReadings } from './output/output-readings.ts';
export type {
  JsonSchemaObject,
  OutputOf,
  OutputOutcome,
  OutputPart,
  OutputSchema,
  SendOptions,
  TurnWithOutput,
} from './output/output-schema.ts';
export type {
  MessageSnapshot,
  SnapshotBlock,
  SnapshotOther,
  SnapshotText,
  SnapshotThinking,
  SnapshotToolUse,
} from './reading/message-snapshot.ts';
export { file, image, type FileOptions } from './input/files.ts';
export type { Input, InputPart, UserInput } from './input/input.ts';
export type { FileSource } from './input/read-source.ts';
export type { Readings } from './reading/readings.ts';
export type { OutputTurn, Turn, TurnOf } from './turn.ts';
export { hintOf } from '@hexagent/streaming';
export type { Parts } from './parts.ts';
export { createSdk, type Sdk } from './create-sdk.ts';
export { ask, openSession } from './default-sdk.ts';
export { doctor, type DoctorOptions } from './doctor.ts';
export type { DoctorCheck, DoctorCheckName, DoctorReport } from './doctor/report.ts';
export type { Environment } from './environment.ts';
export { formatCost } from './format-cost.ts';
export type { Session, SessionMcp } from './session.ts';
export type {
  ContextUsageOptions,
  ReadFileOptions,
  ReloadPluginsOptions,
  RepoRootOptions,
  SessionControls,
  ThinkingOptions,
  TitleOptions,
  UsageOptions,
} from './control/session-controls.ts';
export type { RewindOptions, Rewound, RewoundFiles, SessionHistory, TurnName } from './history/session-history.ts';
export type { PermissionExplanation, SessionPolicy } from './session-policy.ts';
export type { SessionOptions, SessionPermissions } from './session-options.ts';
export type { Command, Plugin, Skill } from './skills/skill.ts';
export type { Subagent } from './subagents.ts';
export type { ToolEntry } from './session-tools.ts';
export { storedSessions, type StoredSessionsOptions } from './stored-sessions.ts';
export { createSdkMcpServer, tool } from './own-server.ts';
export { toolResult } from '@hexagent/mcp-sdk-server';
export type {
  AnyServer,
  AnyZodRawShape,
  CallToolResult,
  InferShape,
  McpSdkServerFactoryConfig,
  SdkMcpToolDefinition,
  ToolAnnotations,
  ToolContent,
  ToolExtra,
  ToolResults,
  ToolServerConfig,
} from '@hexagent/mcp-sdk-server';
