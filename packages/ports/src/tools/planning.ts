type Progress = 'pending' | 'in_progress' | 'completed';
type Todo = { content: string; status: Progress; activeForm: string };
// oxlint-disable-next-line typescript/no-generated-empty-object-type -- in the official package any object is let through
type Nothing = Record<never, never>;

/** What is asked of `TodoWrite`. */
export type TodoWriteInput = { todos: Todo[] };

/** The list before and after. */
export type TodoWriteOutput = { oldTodos: Todo[]; newTodos: Todo[] };

/** What is asked of `TaskCreate`. */
export type TaskCreateInput = {
  subject: string;
  description: string;
  activeForm?: string;
  metadata?: { [name: string]: unknown };
};

/** The task that was created. */
export type TaskCreateOutput = { task: { id: string; subject: string; description?: string } };

/** What is asked of `TaskGet`. */
export type TaskGetInput = { taskId: string };

/** The task, if there is one of this name. */
export type TaskGetOutput = {
  task: {
    id: string;
    subject: string;
    description: string;
    status: Progress;
    blocks: string[];
    blockedBy: string[];
  } | null;
};

/** What is asked of `TaskUpdate`. */
export type TaskUpdateInput = {
  taskId: string;
  subject?: string;
  description?: string;
  activeForm?: string;
  status?: Progress | 'deleted';
  addBlocks?: string[];
  addBlockedBy?: string[];
  owner?: string;
  metadata?: { [name: string]: unknown };
};

/** What was changed. */
export type TaskUpdateOutput = {
  success: boolean;
  taskId: string;
  updatedFields: string[];
  error?: string;
  statusChange?: { from: string; to: string };
};

/** `TaskList` is asked for nothing in particular. */
export type TaskListInput = Nothing;

/** Every task. */
export type TaskListOutput = {
  tasks: { id: string; subject: string; status: Progress; owner?: string; blockedBy: string[] }[];
};

/** `EnterPlanMode` is asked for nothing in particular. */
export type EnterPlanModeInput = Nothing;

/** What the agent receives. */
export type EnterPlanModeOutput = { message: string };

/** What is asked of `ExitPlanMode`. */
export type ExitPlanModeInput = { allowedPrompts?: { tool: 'Bash'; prompt: string }[]; [name: string]: unknown };

/** The plan that was shown. */
export type ExitPlanModeOutput = {
  plan: string | null;
  isAgent: boolean;
  filePath?: string;
  hasTaskTool?: boolean;
  planWasEdited?: boolean;
  awaitingLeaderApproval?: boolean;
  requestId?: string;
};

type Choice = { label: string; description: string; preview?: string };
type Choices = [Choice, Choice] | [Choice, Choice, Choice] | [Choice, Choice, Choice, Choice];
type Question = { question: string; header: string; options: Choices; multiSelect: boolean };
type Note = { preview?: string; notes?: string };

/** What is asked of `AskUserQuestion`; with `answers`, what `answerQuestions()` adds. */
export type AskUserQuestionInput = {
  questions:
    | [Question]
    | [Question, Question]
    | [Question, Question, Question]
    | [Question, Question, Question, Question];
  answers?: { [question: string]: string };
  annotations?: { [question: string]: Note };
  metadata?: { source?: string };
};

/** What a person answered. */
export type AskUserQuestionOutput = {
  questions: Question[];
  answers: { [question: string]: string };
  response?: string;
  annotations?: { [question: string]: Note & { unanswered?: 'skipped' | 'replied_in_chat' | 'dismissed' } };
  afkTimeoutMs?: number;
};

type ReviewLevel = 'low' | 'medium' | 'high' | 'xhigh' | 'max';
type Finding = {
  file: string;
  line?: number;
  summary: string;
  short_summary?: string;
  failure_scenario: string;
  severity?: 'important' | 'pre_existing' | 'nit';
  category?: string;
  verdict?: 'CONFIRMED' | 'PLAUSIBLE';
  outcome?: 'fixed' | 'skipped' | 'no_change_needed';
};

/** What is asked of `ReportFindings`. */
export type ReportFindingsInput = { level?: ReviewLevel; findings: Finding[] };

/** What was reported. */
export type ReportFindingsOutput = { count: number; level?: ReviewLevel; findings: Finding[] };

/** What is asked of `ProposeGoal`. */
export type ProposeGoalInput = { condition: string; ask_user?: boolean };

/** The goal that was proposed. */
export type ProposeGoalOutput = { condition: string; askUser: boolean };

type TextEdit = { old_string: string; new_string: string };
type SkillProposal = {
  name: string;
  kind: 'new' | 'improvement';
  target?: string;
  description: string;
  evidence?: string[];
  edits?: [TextEdit, ...TextEdit[]];
  skillMd?: string;
};

/** What is asked of `ProposeSkills`. */
export type ProposeSkillsInput = {
  proposals: [SkillProposal] | [SkillProposal, SkillProposal] | [SkillProposal, SkillProposal, SkillProposal];
};

/** How many were proposed. */
export type ProposeSkillsOutput = { proposalCount: number };

/** What is asked of `CronCreate`. */
export type CronCreateInput = { cron: string; prompt: string; recurring?: boolean; durable?: boolean };

/** The job that was created. */
export type CronCreateOutput = {
  id: string;
  humanSchedule: string;
  recurring: boolean;
  durable?: boolean;
  nextFireAt?: number;
};

/** What is asked of `CronDelete`. */
export type CronDeleteInput = { id: string };

/** The job that was deleted. */
export type CronDeleteOutput = { id: string; endedLoopWakeup?: true };

/** `CronList` is asked for nothing in particular. */
export type CronListInput = Nothing;

/** Every job. */
export type CronListOutput = {
  jobs: {
    id: string;
    cron: string;
    humanSchedule: string;
    prompt: string;
    recurring?: boolean;
    durable?: boolean;
    nextFireAt?: number;
  }[];
};

/** What is asked of `ScheduleWakeup`. */
export type ScheduleWakeupInput = {
  delaySeconds?: number;
  reason?: string;
  prompt?: string;
  stop?: boolean;
  noop?: boolean;
};

/** When the agent is woken. */
export type ScheduleWakeupOutput = {
  scheduledFor: number;
  clampedDelaySeconds: number;
  wasClamped: boolean;
  stopped?: boolean;
  cancelledWakeups?: number;
};
