/*
 * The Messages API's own vocabulary: what the model answers, and what is sent to it.
 */

/** A piece of what the model or a user wrote. Narrow it by `type`. */
export type ContentBlock = AnswerBlock | InputBlock | UnknownBlock;

/** A piece of the model's answer. */
export type AnswerBlock =
  | TextBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | McpToolUseBlock
  | McpToolResultBlock
  | ContainerUploadBlock
  | CompactionBlock
  | FallbackBlock
  | McpToolListingBlock;

/** A piece of what is sent to the model. */
export type InputBlock =
  | TextBlock
  | ImageBlock
  | DocumentBlock
  | SearchResultBlock
  | ThinkingBlock
  | RedactedThinkingBlock
  | ToolUseBlock
  | ToolResultBlock
  | ServerToolUseBlock
  | ServerToolResultBlock
  | ContainerUploadBlock;

/** Marks the end of what the service is to keep for the next request. */
export interface CacheControl {
  readonly type: 'ephemeral';
  readonly ttl?: '5m' | '1h';
}

interface Cacheable {
  readonly cache_control?: CacheControl | null;
}

export interface TextBlock extends Cacheable {
  readonly type: 'text';
  readonly text: string;
  readonly citations?: readonly Citation[] | null;
}

/** Where a text is taken from; the other fields depend on `type`. */
export interface Citation {
  readonly type: string;
  readonly cited_text: string;
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

/** The model calls a tool. */
export interface ToolUseBlock extends Cacheable {
  readonly type: 'tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a tool answered. */
export interface ToolResultBlock extends Cacheable {
  readonly type: 'tool_result';
  readonly tool_use_id: string;
  readonly content?: string | readonly ToolResultPart[];
  readonly is_error?: boolean;
}

/** A piece of what a tool answered. */
export type ToolResultPart =
  | TextBlock
  | ImageBlock
  | SearchResultBlock
  | DocumentBlock
  | ToolReferenceBlock
  | { readonly type: 'browser_state' };

/** A tool that a search for tools found. */
export interface ToolReferenceBlock extends Cacheable {
  readonly type: 'tool_reference';
  readonly tool_name: string;
}

export interface ImageBlock extends Cacheable {
  readonly type: 'image';
  readonly source: ImageSource;
}

export type ImageSource =
  | {
      readonly type: 'base64';
      readonly data: string;
      readonly media_type: 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';
    }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

export interface DocumentBlock extends Cacheable {
  readonly type: 'document';
  readonly source: DocumentSource;
  readonly title?: string | null;
  readonly context?: string | null;
  readonly citations?: { readonly enabled?: boolean } | null;
}

export type DocumentSource =
  | { readonly type: 'base64'; readonly data: string; readonly media_type: 'application/pdf' }
  | { readonly type: 'text'; readonly data: string; readonly media_type: 'text/plain' }
  | { readonly type: 'content'; readonly content: string | readonly (TextBlock | ImageBlock)[] }
  | { readonly type: 'url'; readonly url: string }
  | { readonly type: 'file'; readonly file_id: string };

/** A passage that a search of the program's own found. */
export interface SearchResultBlock extends Cacheable {
  readonly type: 'search_result';
  readonly source: string;
  readonly title: string;
  readonly content: readonly TextBlock[];
  readonly citations?: { readonly enabled?: boolean };
}

/** The model calls a tool that runs at the service. */
export interface ServerToolUseBlock extends Cacheable {
  readonly type: 'server_tool_use';
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** What a tool answered that ran at the service. */
export interface ServerToolResultBlock extends Cacheable {
  readonly type:
    | 'web_search_tool_result'
    | 'web_fetch_tool_result'
    | 'advisor_tool_result'
    | 'code_execution_tool_result'
    | 'bash_code_execution_tool_result'
    | 'text_editor_code_execution_tool_result'
    | 'tool_search_tool_result';
  readonly tool_use_id: string;
  readonly content: unknown;
}

/** The model calls a tool of an MCP server that the service dialled. */
export interface McpToolUseBlock {
  readonly type: 'mcp_tool_use';
  readonly id: string;
  readonly name: string;
  readonly server_name: string;
  readonly input: unknown;
}

export interface McpToolResultBlock {
  readonly type: 'mcp_tool_result';
  readonly tool_use_id: string;
  readonly is_error: boolean;
  readonly content: string | readonly TextBlock[];
}

/** The tools that an MCP server has which the service dialled. */
export interface McpToolListingBlock {
  readonly type: 'mcp_tool_listing';
  readonly mcp_server_name: string;
}

/** A file in the container that the service runs code in. */
export interface ContainerUploadBlock extends Cacheable {
  readonly type: 'container_upload';
  readonly file_id: string;
}

/** The service shortened the history to this. */
export interface CompactionBlock {
  readonly type: 'compaction';
  readonly content: string | null;
}

/** Another model answers from here on. */
export interface FallbackBlock {
  readonly type: 'fallback';
}

/** A block of a type that is not listed in this version. At run time `type` is exactly what the agent sent. */
export interface UnknownBlock {
  readonly type: `unknown ${string}`;
}
