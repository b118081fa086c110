/*
 * What the Messages API says and is told, as far as it travels through the agent. It stands in where a program has no
 * API client whose types could be taken, so that none is needed to read a message; see `client.ts`.
 */

/** A message or record id. */
export type UUID = `${string}-${string}-${string}-${string}-${string}`;

/** A complete or partial answer of the model. */
export type ApiMessage = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ApiContentBlock[];
  stop_reason: ApiStopReason | null;
  stop_sequence: string | null;
  /** What a refusal says of itself. */
  stop_details?: { type: 'refusal'; category: string | null; explanation: string | null } | null;
  usage: ApiUsage;
  container?: { id: string; expires_at: string; skills: unknown[] | null } | null;
  context_management?: ApiContextManagement | null;
  diagnostics?: { cache_miss_reason: unknown } | null;
  input_transformations?: unknown[] | null;
};

export type ApiContextManagement = { applied_edits: unknown[] };

export type ApiStopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

/** A piece of an answer. Its `type` tells the pieces apart. */
export type ApiContentBlock =
  | ApiTextBlock
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'server_tool_use'; id: string; name: string; input: { [key: string]: unknown } }
  | { type: 'mcp_tool_use'; id: string; name: string; server_name: string; input: unknown }
  | { type: 'mcp_tool_result'; tool_use_id: string; is_error: boolean; content: string | ApiTextBlock[] }
  | { type: ApiServerResultType; tool_use_id: string; content: unknown }
  | { type: 'container_upload'; file_id: string }
  | { type: 'compaction'; content: string | null }
  | { type: 'fallback' }
  | { type: 'mcp_tool_listing'; mcp_server_name: string };

export type ApiTextBlock = { type: 'text'; text: string; citations: { type: string; cited_text: string }[] | null };

/** Results of tools that ran at the service. */
export type ApiServerResultType =
  | 'web_search_tool_result'
  | 'web_fetch_tool_result'
  | 'advisor_tool_result'
  | 'code_execution_tool_result'
  | 'bash_code_execution_tool_result'
  | 'text_editor_code_execution_tool_result'
  | 'tool_search_tool_result';

/** Tokens of one answer. */
export type ApiUsage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  cache_creation: ApiCacheCreation | null;
  server_tool_use: { web_fetch_requests: number; web_search_requests: number } | null;
  service_tier: 'standard' | 'priority' | 'batch' | null;
  speed: 'standard' | 'fast' | null;
  inference_geo: string | null;
  output_tokens_details: { thinking_tokens: number } | null;
  iterations: ApiIterationUsage[] | null;
  fallback_credit: { status: { type: 'redeemed' } | ApiCreditNotApplied } | null;
};

export type ApiCacheCreation = { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number };

/** Tokens of one of the rounds that made up an answer. */
export type ApiIterationUsage = {
  cache_creation: ApiCacheCreation | null;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  input_tokens: number;
  output_tokens: number;
} & (
  | { type: 'message'; model: string | null }
  | { type: 'advisor_message' | 'fallback_message'; model: string }
  | { type: 'compaction' }
);

export type ApiCreditNotApplied = {
  type: 'not_applied';
  reason:
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
  remove_to_redeem?: string[] | null;
};

/** One event of the model's stream. */
export type ApiStreamEvent =
  | { type: 'message_start'; message: ApiMessage }
  | { type: 'content_block_start'; index: number; content_block: ApiContentBlock }
  | { type: 'content_block_delta'; index: number; delta: ApiContentDelta }
  | { type: 'content_block_stop'; index: number }
  | {
      type: 'message_delta';
      delta: { stop_reason: ApiStopReason | null; stop_sequence: string | null };
      usage: { output_tokens: number; input_tokens: number | null };
      context_management?: ApiContextManagement | null;
      input_transformations?: unknown[] | null;
    }
  | { type: 'message_stop' };

export type ApiContentDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string; estimated_tokens: number | null }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: { type: string; cited_text: string } }
  | { type: 'compaction_delta'; content: string | null; encrypted_content: string | null };

/** What is said to the model: the `message` of a user's message. */
export type ApiMessageParam = { role: 'user' | 'assistant' | 'system'; content: string | ApiContentBlockParam[] };

export type ApiContentBlockParam =
  | ApiTextParam
  | ApiImageParam
  | ApiDocumentParam
  | ApiSearchResultParam
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown; cache_control?: ApiCacheControl | null }
  | ApiToolResultParam
  | { type: 'server_tool_use'; id: string; name: string; input: unknown; cache_control?: ApiCacheControl | null }
  | { type: ApiServerResultType; tool_use_id: string; content: unknown; cache_control?: ApiCacheControl | null }
  | { type: 'container_upload'; file_id: string; cache_control?: ApiCacheControl | null };

export type ApiCacheControl = { type: 'ephemeral'; ttl?: '5m' | '1h' };

export type ApiTextParam = {
  type: 'text';
  text: string;
  cache_control?: ApiCacheControl | null;
  citations?: { type: string; cited_text: string }[] | null;
};

export type ApiImageParam = {
  type: 'image';
  source:
    | { type: 'base64'; data: string; media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp' }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  cache_control?: ApiCacheControl | null;
};

export type ApiDocumentParam = {
  type: 'document';
  source:
    | { type: 'base64'; data: string; media_type: 'application/pdf' }
    | { type: 'text'; data: string; media_type: 'text/plain' }
    | { type: 'content'; content: string | (ApiTextParam | ApiImageParam)[] }
    | { type: 'url'; url: string }
    | { type: 'file'; file_id: string };
  title?: string | null;
  context?: string | null;
  citations?: { enabled?: boolean } | null;
  cache_control?: ApiCacheControl | null;
};

export type ApiSearchResultParam = {
  type: 'search_result';
  source: string;
  title: string;
  content: ApiTextParam[];
  citations?: { enabled?: boolean };
  cache_control?: ApiCacheControl | null;
};

export type ApiToolResultParam = {
  type: 'tool_result';
  tool_use_id: string;
  content?:
    | string
    | (
        | ApiTextParam
        | ApiImageParam
        | ApiSearchResultParam
        | ApiDocumentParam
        | { type: 'tool_reference'; tool_name: string; cache_control?: ApiCacheControl | null }
        | { type: 'browser_state' }
      )[];
  is_error?: boolean;
  cache_control?: ApiCacheControl | null;
};
