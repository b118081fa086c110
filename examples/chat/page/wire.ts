import type { DynamicToolUIPart, UIMessage, UIMessagePart, UITools } from 'ai';

/** What the server writes about a turn. Every field comes when it is known. */
export type TurnMetadata = {
  readonly model?: string;
  readonly permissionMode?: string;
  readonly usage?: { readonly input_tokens?: number; readonly output_tokens?: number };
  /** In US dollars. */
  readonly cost?: number;
  readonly durationMs?: number;
  readonly interrupted?: boolean;
};

type SubagentText = { readonly text: string; readonly parentToolCallId: string };

/** Data parts by their name, without `data-`. */
export type ChatData = {
  readonly 'subagent-text': SubagentText;
  readonly 'subagent-reasoning': SubagentText;
  readonly task: { readonly description?: string; readonly status: string; readonly toolCallId?: string };
  readonly notice: { readonly text: string; readonly level: string };
  readonly compaction: object;
  /** A request to the model failed and is tried again. Transient. */
  readonly retry: { readonly attempt: number; readonly maxRetries: number; readonly error: string };
};

export type ChatMessage = UIMessage<TurnMetadata, ChatData>;
export type ChatPart = UIMessagePart<ChatData, UITools>;
export type ToolPart = DynamicToolUIPart;

/** A change that the agent offers to make together with an answer, such as a rule. The CLI's own words for it. */
export interface Suggestion {
  readonly type: string;
  /** Where it is kept. `session` is gone with the session; the others are files. */
  readonly destination?: string;
  readonly behavior?: string;
  readonly rules?: readonly { readonly toolName: string; readonly ruleContent?: string }[];
  readonly mode?: string;
  readonly directories?: readonly string[];
}

export interface Question {
  readonly question: string;
  readonly header?: string;
  readonly multiSelect?: boolean;
  readonly options: readonly { readonly label: string; readonly description?: string }[];
}

/** What a request for approval says about itself. */
export interface ApprovalDescriptor {
  readonly kind: 'permission' | 'question' | 'plan';
  readonly title?: string;
  readonly description?: string;
  readonly blockedPath?: string;
  readonly suggestions: readonly Suggestion[];
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
