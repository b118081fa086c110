import type {
  AccountInfo,
  AgentInfo,
  EffortLevel,
  ModelInfo,
  PermissionMode,
  SdkPluginConfig,
  SlashCommand,
} from './common.ts';
import type * as control from './control.ts';
import type { McpServerConfig, McpServerStatus, McpSetServersResult } from './mcp.ts';
import type { SDKMessage, SDKUserMessage } from './messages.ts';
import type { Settings } from './settings.ts';

/**
 * A running query: its messages by `for await`, and what can be asked and changed meanwhile. The methods work with every
 * form of prompt while the agent lives; afterwards they reject with an `SdkError`.
 */
export interface Query extends AsyncGenerator<SDKMessage, void> {
  /** Stops the running turn. Right after the prompt is early enough. The receipt proves nothing; the next result does. */
  interrupt(): Promise<control.SDKControlInterruptResponse | undefined>;
  setPermissionMode(mode: PermissionMode): Promise<void>;
  setMcpPermissionModeOverride(serverName: string, mode: 'default' | 'auto' | null): Promise<{ warning?: string }>;
  /** Without an argument it restores the default. */
  setModel(model?: string): Promise<void>;
  setMaxThinkingTokens(
    maxThinkingTokens: number | null,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ): Promise<void>;
  /** Settings for the rest of this session; `null` takes one back. All or nothing is applied. */
  applyFlagSettings(settings: {
    [K in keyof Settings]?: K extends 'effortLevel' ? EffortLevel | null : Settings[K] | null;
  }): Promise<void>;
  /** Writes to a settings file; the agent allows it for few keys. */
  updateSettings(source: 'localSettings' | 'userSettings', settings: Record<string, unknown>): Promise<void>;
  /** The agent's answer to `initialize`. Sends nothing, as the four methods that read from it. */
  initializationResult(): Promise<control.SDKControlInitializeResponse>;
  /** Initializes the agent again, as after a gap in the connection: what it still waits for is asked again. Always asks. */
  reinitialize(): Promise<control.SDKControlInitializeResponse>;
  /** The latest list; the others that read from the answer to `initialize` return its content. */
  supportedCommands(): Promise<SlashCommand[]>;
  supportedModels(): Promise<ModelInfo[]>;
  supportedAgents(): Promise<AgentInfo[]>;
  mcpServerStatus(): Promise<McpServerStatus[]>;
  getContextUsage(opts?: { detail?: 'summary' | 'full' }): Promise<control.SDKControlGetContextUsageResponse>;
  usage_EXPERIMENTAL_MAY_CHANGE_DO_NOT_RELY_ON_THIS_API_YET(opts?: {
    skipBehaviors?: boolean;
  }): Promise<control.SDKControlGetUsageResponse>;
  /** `null` when the agent will not read it, and after the end. */
  readFile(
    path: string,
    options?: { maxBytes?: number; encoding?: 'utf-8' | 'base64' },
  ): Promise<control.SDKControlReadFileResponse | null>;
  reloadPlugins(options?: {
    holdOnCacheImpact?: boolean;
    addPlugins?: SdkPluginConfig[];
    refuseIfBusy?: boolean;
  }): Promise<control.SDKControlReloadPluginsResponse>;
  reloadSkills(): Promise<control.SDKControlReloadSkillsResponse>;
  reloadOutputStyles(): Promise<control.SDKControlReloadOutputStylesResponse>;
  accountInfo(): Promise<AccountInfo>;
  /** Files as they were before this message was answered. */
  rewindFiles(userMessageId: string, options?: { dryRun?: boolean }): Promise<control.RewindFilesResult>;
  seedReadState(path: string, mtime: number): Promise<void>;
  reconnectMcpServer(serverName: string): Promise<void>;
  toggleMcpServer(serverName: string, enabled: boolean): Promise<void>;
  readMcpResource(serverName: string, uri: string): Promise<control.SDKControlMcpReadResourceResponse>;
  /** Replaces the servers in this process, and those that were set before. Others of the option `mcpServers` stay. */
  setMcpServers(servers: Record<string, McpServerConfig>): Promise<McpSetServersResult>;
  /**
   * Sends everything the stream yields, and keeps the input open until it ends; its error is the caller's. Resolves when
   * the agent has the last message. After a result it works while callbacks keep the input open.
   * @throws {SdkError} `CONVERSATION_CLOSED` when a message comes too late to be sent.
   */
  streamInput(stream: AsyncIterable<SDKUserMessage>): Promise<void>;
  stopTask(taskId: string): Promise<void>;
  /** Moves running tools to the background, or one of them. */
  backgroundTasks(toolUseId?: string): Promise<boolean>;
  /** Ends the agent. The loop ends at once. */
  close(): void;
}
