/* The Messages API's own vocabulary, as far as the SDK and its users rely on it. */

/** A piece of what a model or a user said. */
export type ContentBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ImageBlock
  | DocumentBlock
  | UnknownBlock;

export interface TextBlock {
  readonly type: 'text';
  readonly text: string;
}

export interface ThinkingBlock {
  readonly type: 'thinking';
  readonly thinking: string;
  readonly signature: string;
}

export interface RedactedThinkingBlock {
  readonly type: 'redacted_thinking';
  readonly data: string;
}

export interface ToolUseBlock {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResultBlock {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ContentBlock[];
  readonly is_error?: boolean;
}

export interface ImageBlock {
  readonly type: 'image';
  readonly source: BlockSource;
}

export interface DocumentBlock {
  readonly type: 'document';
  readonly source: BlockSource;
}

/** Where an image or a document comes from: base64 data, a URL, an uploaded file, plain text. */
export interface BlockSource {
  readonly type: string;
  readonly media_type?: string;
  readonly data?: string;
  readonly url?: string;
}

/** A block this version does not know. Its real `type` is whatever the model sent; see {@link UnknownMessage}. */
export interface UnknownBlock {
  readonly type: `unknown ${string}`;
}

/** Tokens as the Messages API counts them. */
export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
}

/** Tokens and cost of one model, a running total of the session. */
export interface ModelUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadInputTokens: number;
  readonly cacheCreationInputTokens: number;
  readonly webSearchRequests: number;
  readonly costUSD: number;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
}

/** What the model answers; in pieces, each piece repeats it with its own content. */
export interface ModelMessage {
  readonly id: string;
  readonly type?: 'message';
  readonly role: 'assistant';
  readonly model: string;
  readonly content: readonly ContentBlock[];
  readonly stop_reason: string | null;
  readonly usage: Usage;
}

/** The Messages API's stream events, open for kinds this version does not know. */
export type StreamEvent =
  | { readonly type: 'message_start'; readonly message: ModelMessage }
  | { readonly type: 'content_block_start'; readonly index: number; readonly content_block: ContentBlock }
  | { readonly type: 'content_block_delta'; readonly index: number; readonly delta: StreamDelta }
  | { readonly type: 'content_block_stop'; readonly index: number }
  | {
      readonly type: 'message_delta';
      readonly delta: { readonly stop_reason: string | null };
      readonly usage: { readonly output_tokens: number };
    }
  | { readonly type: 'message_stop' }
  | { readonly type: 'ping' }
  | { readonly type: `unknown ${string}` };

export type StreamDelta =
  | { readonly type: 'text_delta'; readonly text: string }
  | { readonly type: 'thinking_delta'; readonly thinking: string }
  | { readonly type: 'signature_delta'; readonly signature: string }
  | { readonly type: 'input_json_delta'; readonly partial_json: string }
  | { readonly type: `unknown ${string}` };
