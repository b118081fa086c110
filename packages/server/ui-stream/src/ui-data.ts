import type { PermissionUpdate, ResultMessage, TerminalReason } from '@hexagent/ports';

/** What the metadata of an answer reports. Each field is set once the agent has reported it. */
export type UiTurnMetadata = {
  readonly sessionId?: string;
  readonly model?: string;
  readonly permissionMode?: string;
  /** This turn's, in tokens. */
  readonly usage?: ResultMessage['usage'];
  /** This turn's, in US dollars. */
  readonly cost?: number;
  readonly durationMs?: number;
  /** Why the turn ended. */
  readonly terminalReason?: TerminalReason;
  /** The uuids of all messages that it answers. */
  readonly userMessageIds?: string[];
  /** The calls that were not allowed. */
  readonly denials?: { toolName: string; toolCallId: string }[];
  /** It was stopped. */
  readonly interrupted?: true;
  /** The server was stopped before it ended; it continues when the session is taken up. */
  readonly suspended?: true;
  /** Why it failed: what the last chunk has as one text. */
  readonly failure?: UiFailure;
};

/** A failure, and its remedy where one is known. */
export type UiFailure = {
  readonly message: string;
  readonly remedy?: string;
};

/** The request for approval, in the part of a call. */
export type UiApprovalDescriptor = {
  readonly kind: 'permission' | 'question' | 'plan';
  /** Changes to the rules that the agent suggests. None is applied unless it is chosen. */
  readonly suggestions: PermissionUpdate[];
  /** Suggestions that the server does not accept, with the reason. Set where there are any. */
  readonly refusedSuggestions?: UiSuggestionNote[];
  /** Suggestions after which the agent asks about this call again, with the reason: none of them is "always". Set where there are any. */
  readonly asksAgain?: UiSuggestionNote[];
  /** The modes that may be chosen with a plan. Set where there are any. */
  readonly permissionModes?: string[];
  readonly title?: string;
  readonly blockedPath?: string;
  /** Set when a subagent asks. */
  readonly agentId?: string;
};

/** About one of the suggestions. */
export type UiSuggestionNote = {
  /** Its position among the suggestions, from 0. */
  readonly index: number;
  /** For a person to read. */
  readonly reason: string;
};

/** The data parts, by the name that follows `data-`. */
export type UiData = {
  /** What a subagent wrote; with `subagents: 'flat'`. */
  'subagent-text': UiSubagentText;
  'subagent-reasoning': UiSubagentText;
  /** All that a subagent did so far; with `subagents: 'nested'`. The id is that of the call that started it. */
  subagent: UiSubagent;
  /** A subagent or a shell that runs beside the turn. The id is the task's. */
  task: UiTask;
  /** The history was shortened. */
  compaction: { trigger?: string; preTokens?: number; postTokens?: number };
  /** The output of the model for the requested schema. */
  'structured-output': { output: unknown };
  /** A line for a person to read. */
  notice: { text: string; level: 'info' | 'notice' | 'suggestion' | 'warning' };
  /** A block of the model's answer for which there is no kind of part. */
  block: { block: unknown };
  /** The history was cleared; what follows has another session id. */
  reset: { sessionId: string };
  /** Transient, like all below. What the agent waits for, and its permission mode when that changes. */
  status: { status: string | null; permissionMode?: string };
  /** A request to the model failed and is tried again. */
  retry: { attempt: number; maxRetries: number; delayMs: number; status: number | null; error: string };
  'thinking-tokens': { tokens: number };
  'tool-progress': { toolCallId: string; toolName: string; elapsedSeconds: number };
  'background-tasks': { tasks: { taskId: string; kind: string; description: string }[] };
  'rate-limit': { status: string; resetsAt?: number; utilization?: number };
  title: { title: string };
  suggestion: { suggestion: string };
};

export type UiSubagentText = {
  readonly text: string;
  readonly parentToolCallId: string;
  readonly agentId?: string;
  readonly subagentType?: string;
};

export type UiSubagent = {
  readonly parentToolCallId: string;
  readonly agentId?: string;
  readonly subagentType?: string;
  readonly parts: UiSubagentPart[];
};

export type UiSubagentPart =
  | { readonly type: 'text' | 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
      readonly state: 'running' | 'done' | 'error' | 'denied';
      readonly output?: unknown;
      readonly errorText?: string;
    };

export type UiTask = {
  readonly taskId: string;
  readonly status: string;
  readonly toolCallId?: string;
  readonly kind?: string;
  readonly description?: string;
  readonly subagentType?: string;
  readonly isBackgrounded?: boolean;
  readonly lastToolName?: string;
  readonly summary?: string;
  readonly error?: string;
  readonly usage?: { totalTokens: number; toolUses: number; durationMs: number };
  /** The end of what it has written, with the option `toolOutput` of the session. */
  readonly output?: { stdout: string; leftOutBytes: number };
};

/** A value that JSON can carry. */
export type JsonValue = null | string | number | boolean | JsonValue[] | JsonObject;

export type JsonObject = { [key: string]: JsonValue | undefined };

/** Metadata of a part beside its content, by its provider. */
export type UiProviderMetadata = { [provider: string]: JsonObject };
