/** What is asked of `Bash`. */
export type BashInput = {
  command: string;
  timeout?: number;
  description?: string;
  run_in_background?: boolean;
  dangerouslyDisableSandbox?: boolean;
};

type PullRequestAction =
  | 'created'
  | 'edited'
  | 'merged'
  | 'commented'
  | 'closed'
  | 'reopened'
  | 'ready'
  | 'draft'
  | 'auto-merge-enabled'
  | 'auto-merge-disabled';

type GitOperation = {
  commit?: { sha: string; kind: 'committed' | 'amended' | 'cherry-picked'; branch?: string };
  push?: { branch: string };
  branch?: { ref: string; action: 'merged' | 'rebased' };
  pr?: { number: number; url?: string; action: PullRequestAction };
};

/** The result of a command. */
export type BashOutput = {
  stdout: string;
  stderr: string;
  rawOutputPath?: string;
  interrupted: boolean;
  isImage?: boolean;
  backgroundTaskId?: string;
  backgroundedByUser?: boolean;
  timedOutAfterMs?: number;
  backgroundCwdHint?: string;
  backgroundEndsWithFinalResponse?: true;
  backgroundWakesOwner?: true;
  dangerouslyDisableSandbox?: boolean;
  returnCodeInterpretation?: string;
  noOutputExpected?: boolean;
  structuredContent?: unknown[];
  persistedOutputPath?: string;
  persistedOutputSize?: number;
  staleReadFileStateHint?: string;
  ghRateLimitHint?: string;
  gitOperation?: GitOperation;
};

/** What is asked of `Monitor`. */
export type MonitorInput = {
  description: string;
  timeout_ms: number;
  command?: string;
  ws?: { url: string; protocols?: string[] };
};

/** The monitor that was started. */
export type MonitorOutput = {
  taskId: string;
  timeoutMs: number;
  persistent?: boolean;
  keptInSandboxByCheck?: boolean;
};

/** What is asked of `TaskStop`. */
export type TaskStopInput = { task_id?: string; shell_id?: string };

/** The task that was stopped. */
export type TaskStopOutput = { message: string; task_id: string; task_type: string; command?: string };

/** What is asked of `Agent`. */
export type AgentInput = {
  description: string;
  prompt: string;
  subagent_type?: string;
  model?: 'sonnet' | 'opus' | 'haiku' | 'fable';
  effort?: 'low' | 'medium' | 'high' | 'xhigh' | 'max';
  run_in_background?: boolean;
  name?: string;
  team_name?: string;
  mode?: 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';
  isolation?: 'worktree' | 'remote';
};

type AgentUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  server_tool_use: { web_search_requests: number; web_fetch_requests: number } | null;
  service_tier: string | null;
  cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
  inference_geo?: string | null;
  speed?: string | null;
  iterations?: unknown;
  output_tokens_details?: { thinking_tokens?: number | null } | null;
  fallback_credit?: unknown;
};

type AgentToolStats = {
  readCount: number;
  searchCount: number;
  bashCount: number;
  editFileCount: number;
  linesAdded: number;
  linesRemoved: number;
  otherToolCount: number;
  frameCount?: number;
};

/** The result of a subagent, or where it runs. */
export type AgentOutput =
  | {
      status: 'completed';
      agentId: string;
      agentType?: string;
      content: { type: 'text'; text: string; citations?: unknown[] | null }[];
      resolvedModel?: string;
      modelsUsed?: string[];
      totalToolUseCount: number;
      totalDurationMs: number;
      totalTokens: number;
      usage: AgentUsage;
      toolsUsed?: string[];
      toolStats?: AgentToolStats;
      prompt: string;
      worktreePath?: string;
      worktreeBranch?: string;
    }
  | {
      status: 'async_launched';
      isAsync?: true;
      agentId: string;
      description: string;
      resolvedModel?: string;
      modelsUsed?: string[];
      prompt: string;
      outputFile: string;
      canReadOutputFile?: boolean;
    }
  | {
      status: 'remote_launched';
      taskId: string;
      sessionUrl: string;
      description: string;
      prompt: string;
      outputFile: string;
    };

/** What is asked of `Workflow`. */
export type WorkflowInput = {
  script?: string;
  name?: string;
  description?: string;
  title?: string;
  args?: { [name: string]: unknown };
  scriptPath?: string;
  resumeFromRunId?: string;
};

/** The workflow that was started. */
export type WorkflowOutput = {
  status: 'async_launched' | 'remote_launched';
  taskId: string;
  taskType?: 'local_workflow' | 'remote_agent';
  workflowName?: string;
  runId?: string;
  summary?: string;
  transcriptDir?: string;
  scriptPath?: string;
  sessionUrl?: string;
  warning?: string;
  error?: string;
};

/** What is asked of `EnterWorktree`. */
export type EnterWorktreeInput = { name?: string; path?: string };

/** The worktree that was entered. */
export type EnterWorktreeOutput = { worktreePath: string; worktreeBranch?: string; message: string };

/** What is asked of `ExitWorktree`. */
export type ExitWorktreeInput = { action: 'keep' | 'remove'; discard_changes?: boolean };

/** Whether the worktree was kept. */
export type ExitWorktreeOutput = {
  action: 'keep' | 'remove';
  originalCwd: string;
  worktreePath: string;
  worktreeBranch?: string;
  tmuxSessionName?: string;
  discardedFiles?: number;
  discardedCommits?: number;
  message: string;
};
