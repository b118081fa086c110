import type { UiApprovalDescriptor, UiData, UiTurnMetadata } from '@hexagent/ui-stream';
import type { DynamicToolUIPart, FileUIPart, UIMessage, UIMessagePart, UITools } from 'ai';

export type ChatMessage = UIMessage<UiTurnMetadata, UiData>;
export type ChatPart = UIMessagePart<UiData, UITools>;
export type ToolPart = DynamicToolUIPart;

/** The details of a request for approval. */
export type ApprovalDescriptor = UiApprovalDescriptor;

/** A change that the agent offers to make together with an answer, such as a rule. The CLI's own words for it. */
export type Suggestion = UiApprovalDescriptor['suggestions'][number];

/** What a person is about to send. */
export interface Draft {
  readonly text: string;
  readonly files: FileUIPart[];
}

export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect?: boolean;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
}

/** The answer of a person, as the body of `POST /chat/:id/approvals/:approval`. */
export interface Answer {
  readonly approved: boolean;
  /** Why not. The model reads it. */
  readonly reason?: string;
  /** Which suggestions are taken over, by their positions. */
  readonly suggestions?: readonly number[];
  /** By the whole text of each question. */
  readonly answers?: Readonly<Record<string, readonly string[]>>;
  /** The plan as the person changed it. */
  readonly plan?: string;
  readonly permissionMode?: 'acceptEdits';
}

/** Whether the turn of a message runs, is over, or is not known since the connection is lost. */
export type Phase = 'running' | 'over' | 'lost';
