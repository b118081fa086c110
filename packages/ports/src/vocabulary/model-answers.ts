import type { Citation, ContentBlock } from './content.ts';

/** What the model answers; in pieces, each piece repeats it with its own content. */
export interface ModelMessage {
  readonly id: string;
  readonly type: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stop_reason: StopReason | null;
  readonly stop_sequence: string | null;
  /** Why the model refused. */
  readonly stop_details?: {
    readonly type: 'refusal';
    readonly category: string | null;
    readonly explanation: string | null;
  } | null;
  readonly usage: Usage;
  readonly container?: {
    readonly id: string;
    readonly expires_at: string;
    readonly skills: readonly unknown[] | null;
  } | null;
  readonly context_management?: ContextManagement | null;
  readonly diagnostics?: { readonly cache_miss_reason: unknown } | null;
  readonly input_transformations?: readonly unknown[] | null;
}

/** Why the model stopped. */
export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

/** What the service left out of the context. */
export interface ContextManagement {
  readonly applied_edits: readonly unknown[];
}

/** Tokens as the Messages API counts them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly cache_creation?: CacheCreation | null;
  readonly server_tool_use?: { readonly web_fetch_requests: number; readonly web_search_requests: number } | null;
  readonly service_tier?: 'standard' | 'priority' | 'batch' | null;
  readonly speed?: 'standard' | 'fast' | null;
  readonly inference_geo?: string | null;
  readonly output_tokens_details?: { readonly thinking_tokens: number } | null;
  readonly iterations?: readonly IterationUsage[] | null;
  readonly fallback_credit?: { readonly status: { readonly type: 'redeemed' } | CreditNotApplied } | null;
}

/** Tokens that were written to the service's cache, by how long they are kept. */
export interface CacheCreation {
  readonly ephemeral_1h_input_tokens: number;
  readonly ephemeral_5m_input_tokens: number;
}

/** Tokens of one of the rounds that made up an answer. */
export type IterationUsage = {
  readonly cache_creation: CacheCreation | null;
  readonly cache_creation_input_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
} & (
  | { readonly type: 'message'; readonly model: string | null }
  | { readonly type: 'advisor_message' | 'fallback_message'; readonly model: string }
  | { readonly type: 'compaction' }
);

/** Why the credit for a refused request was not given. */
export interface CreditNotApplied {
  readonly type: 'not_applied';
  readonly reason:
    | 'body_mismatch'
    | 'continuation_excluded'
    | 'continuation_only'
    | 'expired'
    | 'invalid_target_model'
    | 'not_enabled'
    | 'reprice_unavailable'
    | 'temporarily_unavailable'
    | 'variant_fields_present'
    | 'wrong_organization'
    | 'wrong_platform'
    | 'wrong_workspace';
  readonly remove_to_redeem?: readonly string[] | null;
}

/** An event of the model's stream. */
export type StreamEvent =
  | { readonly type: 'message_start'; readonly message: ModelMessage }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: StreamDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | MessageDelta
  | { readonly type: 'message_stop' }
  | { readonly type: 'ping' }
  | { readonly type: `unknown ${string}` };

/** The end of an answer: why the model stopped, and how many tokens it took. */
export interface MessageDelta {
  readonly type: 'message_delta';
  readonly delta: { readonly stop_reason: StopReason | null; readonly stop_sequence?: string | null };
  readonly usage: { readonly output_tokens: number; readonly input_tokens?: number | null };
  readonly context_management?: ContextManagement | null;
  readonly input_transformations?: readonly unknown[] | null;
}

/** A piece of a block. */
export type StreamDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string; readonly estimated_tokens?: number | null }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'citations_delta'; readonly citation: Citation }
  | {
      readonly type: 'compaction_delta';
      readonly content: string | null;
      readonly encrypted_content: string | null;
    }
  | { readonly type: `unknown ${string}` };
