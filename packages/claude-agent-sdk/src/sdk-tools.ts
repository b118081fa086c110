/* oxlint-disable typescript/no-duplicate-type-constituents -- tools that take nothing take the same */
// Types of what the built-in tools take and return. There is nothing to run here.
import type * as tools from '@hexagent/ports/tools';

// Unlisted: it must have whatever that entry has, and nothing else.
export type * from '@hexagent/ports/tools';

/** What any tool takes, or returns. */
export type ToolInputSchemas =
  | tools.AgentInput
  | tools.ArtifactInput
  | tools.AskUserQuestionInput
  | tools.BashInput
  | tools.ClaudeDesignInput
  | tools.CronCreateInput
  | tools.CronDeleteInput
  | tools.CronListInput
  | tools.EnterPlanModeInput
  | tools.EnterWorktreeInput
  | tools.ExitPlanModeInput
  | tools.ExitWorktreeInput
  | tools.FileEditInput
  | tools.FileReadInput
  | tools.FileWriteInput
  | tools.GlobInput
  | tools.GrepInput
  | tools.ListMcpResourcesInput
  | tools.McpInput
  | tools.MonitorInput
  | tools.NotebookEditInput
  | tools.OfferChromeSetupInput
  | tools.ProjectsInput
  | tools.ProposeGoalInput
  | tools.ProposeSkillsInput
  | tools.PushNotificationInput
  | tools.ReadMcpResourceDirInput
  | tools.ReadMcpResourceInput
  | tools.ReadNotificationsInput
  | tools.RefreshMcpToolsInput
  | tools.RemoteTriggerInput
  | tools.ReportFindingsInput
  | tools.ScheduleWakeupInput
  | tools.SendFeedbackInput
  | tools.ShowOnboardingRolePickerInput
  | tools.TaskCreateInput
  | tools.TaskGetInput
  | tools.TaskListInput
  | tools.TaskStopInput
  | tools.TaskUpdateInput
  | tools.TodoWriteInput
  | tools.WebFetchInput
  | tools.WebSearchInput
  | tools.WorkflowInput
  | ToolOutputSchemas;

/** What any tool returns. */
export type ToolOutputSchemas =
  | tools.AgentOutput
  | tools.ArtifactOutput
  | tools.AskUserQuestionOutput
  | tools.BashOutput
  | tools.ClaudeDesignOutput
  | tools.CronCreateOutput
  | tools.CronDeleteOutput
  | tools.CronListOutput
  | tools.EnterPlanModeOutput
  | tools.EnterWorktreeOutput
  | tools.ExitPlanModeOutput
  | tools.ExitWorktreeOutput
  | tools.FileEditOutput
  | tools.FileReadOutput
  | tools.FileWriteOutput
  | tools.GlobOutput
  | tools.GrepOutput
  | tools.ListMcpResourcesOutput
  | tools.McpOutput
  | tools.MonitorOutput
  | tools.NotebookEditOutput
  | tools.OfferChromeSetupOutput
  | tools.ProjectsOutput
  | tools.ProposeGoalOutput
  | tools.ProposeSkillsOutput
  | tools.PushNotificationOutput
  | tools.ReadMcpResourceDirOutput
  | tools.ReadMcpResourceOutput
  | tools.ReadNotificationsOutput
  | tools.RefreshMcpToolsOutput
  | tools.RemoteTriggerOutput
  | tools.ReportFindingsOutput
  | tools.ScheduleWakeupOutput
  | tools.SendFeedbackOutput
  | tools.ShowOnboardingRolePickerOutput
  | tools.TaskCreateOutput
  | tools.TaskGetOutput
  | tools.TaskListOutput
  | tools.TaskStopOutput
  | tools.TaskUpdateOutput
  | tools.TodoWriteOutput
  | tools.WebFetchOutput
  | tools.WebSearchOutput
  | tools.WorkflowOutput;
