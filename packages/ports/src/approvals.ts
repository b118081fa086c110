import type { DialogAnswer, DialogRequest, ElicitationAnswer, ElicitationRequest } from './interaction.ts';
import type { PermissionContext, PermissionRequest } from './permissions.ts';
import type { AnyToolInput, ToolInputs, ToolName } from './tools/inputs.ts';
import type { PermissionAnswer, PermissionUpdate } from './vocabulary/permission-values.ts';

/*
 * Requests to a person, and their answers. The rules have been applied before.
 */

/** A tool of an MCP server, or one that is newer than this version. At run time the name is exactly what the agent sent. */
type OtherToolName = `mcp__${string}` | `unknown ${string}`;

/** A request to a person, while it waits for an answer. As JSON it is data, and can be answered by its id from another process. */
interface AskOf<Kind extends string, Request> {
  /** The agent's id for the request. */
  readonly id: string;
  /** Its kind, which decides how it is answered. */
  readonly kind: Kind;
  /** By the clock of the SDK: milliseconds since an arbitrary moment. */
  readonly createdAt: number;
  /** By the same clock; `undefined` when it waits without limit. */
  readonly expiresAt: number | undefined;
  /** The whole request of the agent. */
  readonly request: Request;
  /**
   * Aborts when no answer is awaited any more. The `cause` of its reason is why: `already_answered`, `withdrawn`, `expired`,
   * `agent_exited` or `suspended`.
   */
  readonly signal: AbortSignal;
}

/** What every call of a tool has. */
interface CallOf<Kind extends string, Name, Input> extends AskOf<Kind, PermissionRequest> {
  /** The name of the tool, as the agent sent it. */
  readonly tool: Name;
  /** The input that the tool is to be called with. */
  readonly input: Input;
  /** Changes to the CLI's rules, mode or directories, after which it would not ask again. */
  readonly suggestions: readonly PermissionUpdate[];
  /** Suggestions after which the agent asks about this call again, with the reason. A double of this may leave it out. */
  readonly asksAgain?: readonly SuggestionNote[] | undefined;
}

type CalledTool = Exclude<ToolName, 'AskUserQuestion' | 'ExitPlanMode'>;
type CallsOfTools = { readonly [Name in CalledTool]: CallOf<'call', Name, ToolInputs[Name]> };

/** A call of a tool that a person is to decide, answered by `allow()` or `deny()`. Comparing `tool` narrows `input` to that of the tool. */
export type CallAsk<Name extends CalledTool | 'other' = CalledTool | 'other'> = {
  readonly [Each in Name]: Each extends CalledTool ? CallsOfTools[Each] : CallOf<'call', OtherToolName, AnyToolInput>;
}[Name];

/** Questions to a person, answered by `answerQuestions()` or `declineQuestions()`. */
export interface QuestionAsk extends CallOf<'question', 'AskUserQuestion', ToolInputs['AskUserQuestion']> {
  /** Up to four, each with its choices. */
  readonly questions: ToolInputs['AskUserQuestion']['questions'];
}

/** A plan to approve before the agent leaves plan mode, answered by `approvePlan()` or `revisePlan()`. */
export interface PlanAsk extends CallOf<'plan', 'ExitPlanMode', ToolInputs['ExitPlanMode']> {
  /** The text of the plan; empty where the agent sent none. */
  readonly plan: string;
}

/** What the agent requests permission for: a call, questions or a plan. */
export type PermissionAsk = CallAsk | QuestionAsk | PlanAsk;

/** Named, so that they can be read of every {@link Ask}. */
type NoCall = { readonly [Name in 'tool' | 'input' | 'suggestions' | 'asksAgain']?: undefined };

/** The request of an MCP server to a person. Answered by an {@link ElicitationAnswer}. */
export interface ElicitationAsk extends AskOf<'elicitation', ElicitationRequest>, NoCall {}

/** A dialog that the agent has shown. Answered by a {@link DialogAnswer}. */
export interface DialogAsk extends AskOf<'dialog', DialogRequest>, NoCall {}

/** Any request to a person. Comparing `kind`, and for a call `tool`, narrows the rest. */
export type Ask = PermissionAsk | ElicitationAsk | DialogAsk;

/** What settles an {@link Ask} of its kind. A {@link Denial} settles every kind: it declines an elicitation and cancels a dialog. */
export type AskAnswer = Decision | QuestionAnswer | PlanApproval | ElicitationAnswer | DialogAnswer;

/** Answers what a person is asked. `null` leaves the request pending, to be answered by its id. */
export type AskHandler = (ask: Ask) => AskAnswer | null | Promise<AskAnswer | null>;

/** About one of the suggestions of a request. */
export interface SuggestionNote {
  /** Its position among the suggestions, from 0. */
  readonly index: number;
  /** For a person to read. */
  readonly reason: string;
}

/** The requests that wait for a person, and the way to answer them from any part of the program. */
export interface PendingRequests {
  /** In the order in which the agent asked. */
  list(): readonly Ask[];
  /** `undefined` once it is settled, and for an id that was never asked. */
  get(id: string): Ask | undefined;
  /**
   * Settles a request, if it still waits.
   * @throws {TypeError} for anything but an answer to this kind of request, which then still waits.
   */
  answer(id: string, answer: AskAnswer): AnswerReceipt;
  /**
   * Calls the listener after each change of the list, until what this returned is called. What it throws is warned of.
   * A double of this may leave it out.
   */
  onChange?(listener: () => void): () => void;
}

/**
 * The result of an answer.
 * - `accepted`: it settled the request.
 * - `already_answered`, `withdrawn`, `expired`: it came too late for that, and does nothing.
 * - `agent_exited`, `suspended`: the agent that asked is gone, and does not wait any more.
 * - `unknown`: there was no such request, or it is long ago.
 */
export type AnswerReceipt =
  | 'accepted'
  | 'already_answered'
  | 'withdrawn'
  | 'expired'
  | 'agent_exited'
  | 'suspended'
  | 'unknown';

/** How an {@link Ask} ended. */
export type AskEnd = 'answered' | 'withdrawn' | 'expired' | 'agent_exited' | 'suspended';

/** Where a decision is remembered: until the session ends, or in the CLI's settings of the folder, the project, the user. */
export type RememberScope = 'session' | 'local' | 'project' | 'user';

/** The decision about a call. */
export type Decision =
  | (Extract<PermissionAnswer, { behavior: 'allow' }> & {
      /** Stores the rule that the agent suggests, so that it does not request permission for such calls again. */
      readonly remember?: RememberScope | undefined;
    })
  | Extract<PermissionAnswer, { behavior: 'deny' }>;

/** A denial; the model reads the message. */
export interface Denial {
  readonly behavior: 'deny';
  /** Why. The model reads it. */
  readonly message: string;
  /** Whether the turn ends too. */
  readonly interrupt?: boolean;
}

/** Answers to questions, as the agent takes them: by the whole text of each question. */
export interface QuestionAnswer {
  readonly behavior: 'allow';
  /** The input of the call with its questions, and the answers to them. */
  readonly updatedInput: { readonly questions: unknown; readonly answers: Readonly<Record<string, string>> };
}

/** The modes in which the agent can continue after a plan. */
export type ModeAfterPlan = 'default' | 'acceptEdits' | 'auto' | 'dontAsk';

/** The approval of a plan. */
export interface PlanApproval {
  readonly behavior: 'allow';
  /** Without `answers`: with them it would be the answer to a question. */
  readonly updatedInput: { readonly plan?: string; readonly answers?: never; readonly [name: string]: unknown };
  /** The mode in which the agent continues, if you chose one. */
  readonly updatedPermissions?: { type: 'setMode'; mode: ModeAfterPlan; destination: 'session' }[];
}

/** The function that a gate calls for a call that no rule decides. */
export type Asker = (
  request: PermissionRequest,
  context: PermissionContext,
) => Promise<PermissionAnswer | null> | PermissionAnswer | null;
