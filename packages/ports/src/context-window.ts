/** The answer to `get_context_usage`: what fills the context window, in tokens. */
export interface ContextWindow {
  readonly categories: readonly ContextCategory[];
  readonly totalTokens: number;
  readonly maxTokens: number;
  readonly rawMaxTokens: number;
  readonly percentage: number;
  /** The source of the size of the window. */
  readonly autocompactSource?: string;
  /** Squares to draw, row by row. */
  readonly gridRows: readonly (readonly ContextSquare[])[];
  readonly model: string;
  readonly memoryFiles: readonly { readonly path: string; readonly type: string; readonly tokens: number }[];
  readonly mcpTools: readonly {
    readonly name: string;
    readonly serverName: string;
    readonly tokens: number;
    readonly isLoaded?: boolean;
  }[];
  readonly mcpInstructions?: readonly { readonly serverName: string; readonly tokens: number }[];
  readonly deferredBuiltinTools?: readonly {
    readonly name: string;
    readonly tokens: number;
    readonly isLoaded: boolean;
  }[];
  readonly systemTools?: readonly NamedTokens[];
  readonly systemPromptSections?: readonly NamedTokens[];
  readonly agents: readonly {
    readonly agentType: string;
    readonly source: string;
    readonly pluginId?: string;
    readonly path?: string;
    readonly tokens: number;
  }[];
  readonly slashCommands?: {
    readonly totalCommands: number;
    readonly includedCommands: number;
    readonly tokens: number;
  };
  readonly skills?: ContextSkills;
  readonly autoCompactThreshold?: number;
  readonly isAutoCompactEnabled: boolean;
  readonly messageBreakdown?: MessageBreakdown;
  /** What the model's service counted at the last request; `null` before the first. */
  readonly apiUsage: {
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cache_creation_input_tokens: number;
    readonly cache_read_input_tokens: number;
  } | null;
}

/** One part of the context window. */
export interface ContextCategory {
  readonly id?:
    | 'system_prompt'
    | 'system_tools'
    | 'mcp_tools'
    | 'mcp_instructions'
    | 'mcp_tools_deferred'
    | 'system_tools_deferred'
    | 'custom_agents'
    | 'memory_files'
    | 'skills'
    | 'messages'
    | 'autocompact_buffer'
    | 'compact_buffer'
    | 'free_space';
  readonly name: string;
  readonly tokens: number;
  readonly color: string;
  readonly isDeferred?: boolean;
  readonly kind: 'used' | 'free' | 'buffer' | 'deferred';
}

/** One square of the grid in which the agent draws its context window. */
export interface ContextSquare {
  readonly color: string;
  readonly isFilled: boolean;
  readonly categoryName: string;
  readonly tokens: number;
  readonly percentage: number;
  readonly squareFullness: number;
}

interface NamedTokens {
  readonly name: string;
  readonly tokens: number;
}

interface ContextSkills {
  readonly totalSkills: number;
  readonly includedSkills: number;
  readonly tokens: number;
  readonly skillFrontmatter: readonly {
    readonly name: string;
    readonly source: string;
    readonly pluginName?: string;
    readonly pluginId?: string;
    readonly path?: string;
    readonly tokens: number;
  }[];
}

interface MessageBreakdown {
  readonly toolCallTokens: number;
  readonly toolResultTokens: number;
  readonly attachmentTokens: number;
  readonly assistantMessageTokens: number;
  readonly userMessageTokens: number;
  readonly redirectedContextTokens: number;
  readonly unattributedTokens: number;
  readonly toolCallsByType: readonly {
    readonly name: string;
    readonly callTokens: number;
    readonly resultTokens: number;
  }[];
  readonly attachmentsByType: readonly NamedTokens[];
}
