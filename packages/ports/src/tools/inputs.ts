import type { FileEditInput, FileReadInput, FileWriteInput, GlobInput, GrepInput, NotebookEditInput } from './files.ts';
import type {
  AskUserQuestionInput,
  CronCreateInput,
  CronDeleteInput,
  ExitPlanModeInput,
  ProposeSkillsInput,
  ReportFindingsInput,
  ScheduleWakeupInput,
  TaskCreateInput,
  TaskGetInput,
  TaskUpdateInput,
  TodoWriteInput,
} from './planning.ts';
import type {
  ListMcpResourcesInput,
  OfferChromeSetupInput,
  PushNotificationInput,
  ReadMcpResourceDirInput,
  ReadMcpResourceInput,
  RemoteTriggerInput,
  SendFeedbackInput,
  WebFetchInput,
  WebSearchInput,
} from './reaching-out.ts';
import type {
  AgentInput,
  BashInput,
  EnterWorktreeInput,
  ExitWorktreeInput,
  MonitorInput,
  TaskStopInput,
  WorkflowInput,
} from './running.ts';
import type { ArtifactInput, ClaudeDesignInput, ProjectsInput } from './services.ts';

/** The input of a tool that takes nothing, or that has no type here. */
export type AnyToolInput = Readonly<Record<string, unknown>>;

/** What the agent adds to the plan that it shows: where it is kept, and its text once it was written. */
type ShownPlan = ExitPlanModeInput & { plan?: string; planFilePath?: string };

/** What each built-in tool takes, by the name of the tool. */
export interface ToolInputs {
  readonly Agent: ReadonlyDeep<AgentInput>;
  readonly Artifact: ReadonlyDeep<ArtifactInput>;
  readonly AskUserQuestion: ReadonlyDeep<AskUserQuestionInput>;
  readonly Bash: ReadonlyDeep<BashInput>;
  readonly ClaudeDesign: ReadonlyDeep<ClaudeDesignInput>;
  readonly CronCreate: ReadonlyDeep<CronCreateInput>;
  readonly CronDelete: ReadonlyDeep<CronDeleteInput>;
  readonly CronList: AnyToolInput;
  readonly Edit: ReadonlyDeep<FileEditInput>;
  readonly EndConversation: AnyToolInput;
  readonly EnterPlanMode: AnyToolInput;
  readonly EnterWorktree: ReadonlyDeep<EnterWorktreeInput>;
  readonly ExitPlanMode: ReadonlyDeep<ShownPlan>;
  readonly ExitWorktree: ReadonlyDeep<ExitWorktreeInput>;
  readonly Glob: ReadonlyDeep<GlobInput>;
  readonly Grep: ReadonlyDeep<GrepInput>;
  readonly LSP: AnyToolInput;
  readonly ListAgents: AnyToolInput;
  readonly ListMcpResourcesTool: ReadonlyDeep<ListMcpResourcesInput>;
  readonly Monitor: ReadonlyDeep<MonitorInput>;
  readonly NotebookEdit: ReadonlyDeep<NotebookEditInput>;
  readonly OfferChromeSetup: ReadonlyDeep<OfferChromeSetupInput>;
  readonly PowerShell: AnyToolInput;
  readonly Projects: ReadonlyDeep<ProjectsInput>;
  readonly PushNotification: ReadonlyDeep<PushNotificationInput>;
  readonly Read: ReadonlyDeep<FileReadInput>;
  readonly ReadMcpResourceDirTool: ReadonlyDeep<ReadMcpResourceDirInput>;
  readonly ReadMcpResourceTool: ReadonlyDeep<ReadMcpResourceInput>;
  readonly ReadNotifications: AnyToolInput;
  readonly RemoteTrigger: ReadonlyDeep<RemoteTriggerInput>;
  readonly ReportFindings: ReadonlyDeep<ReportFindingsInput>;
  readonly ScheduleWakeup: ReadonlyDeep<ScheduleWakeupInput>;
  readonly SendFeedback: ReadonlyDeep<SendFeedbackInput>;
  readonly SendMessage: AnyToolInput;
  readonly SendUserFile: AnyToolInput;
  readonly SendUserMessage: AnyToolInput;
  readonly SetGoal: AnyToolInput;
  readonly ShareOnboardingGuide: AnyToolInput;
  readonly ShowOnboardingRolePicker: AnyToolInput;
  readonly Skill: AnyToolInput;
  readonly SubagentHandback: AnyToolInput;
  readonly TaskCreate: ReadonlyDeep<TaskCreateInput>;
  readonly TaskGet: ReadonlyDeep<TaskGetInput>;
  readonly TaskList: AnyToolInput;
  readonly TaskStop: ReadonlyDeep<TaskStopInput>;
  readonly TaskUpdate: ReadonlyDeep<TaskUpdateInput>;
  readonly TodoWrite: ReadonlyDeep<TodoWriteInput>;
  readonly ToolSearch: AnyToolInput;
  readonly WaitForMcpServers: AnyToolInput;
  readonly WebFetch: ReadonlyDeep<WebFetchInput>;
  readonly WebSearch: ReadonlyDeep<WebSearchInput>;
  readonly Workflow: ReadonlyDeep<WorkflowInput>;
  readonly Write: ReadonlyDeep<FileWriteInput>;
  readonly propose_skills: ReadonlyDeep<ProposeSkillsInput>;
}

/** The tools that the CLI brings. */
export type ToolName = keyof ToolInputs;

/** The same value, which may not be changed. */
export type ReadonlyDeep<T> = T extends object ? { readonly [Key in keyof T]: ReadonlyDeep<T[Key]> } : T;
