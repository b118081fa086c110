import type { AgentInfo } from './introduction.ts';
import type { SlashCommand } from './vocabulary/values.ts';

/*
 * What the agent answers to requests of ours, in its own spelling. Fields that a newer agent adds are there as well.
 */

/** A receipt. What was really stopped is proven by the result that follows. */
export interface InterruptReceipt {
  /** The uuids of messages that still wait. */
  readonly still_queued: readonly string[];
  /** The uuids of messages that were dropped, with `cancel_queued`. */
  readonly cancelled?: readonly string[];
}

/** The settings that are in force, where each comes from, and the merged result. */
export interface SettingsReport {
  readonly effective: Readonly<Record<string, unknown>>;
  readonly sources: readonly { readonly source: string; readonly settings: Readonly<Record<string, unknown>> }[];
  readonly applied: { readonly model: string; readonly effort?: string | null; readonly [field: string]: unknown };
  /** What of them could not be read. */
  readonly errors?: readonly SettingsParseError[];
}

/** A settings file, or a part of one, that could not be read. */
export interface SettingsParseError {
  readonly file?: string;
  readonly path: string;
  readonly message: string;
}

/** How an MCP server fares. */
export interface McpServerStatus {
  readonly name: string;
  readonly status: 'connected' | 'failed' | 'needs-auth' | 'pending' | 'disabled';
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** With status `failed`. */
  readonly error?: string;
  readonly config?: Readonly<Record<string, unknown>>;
  readonly transport?: string;
  readonly scope?: string;
  readonly source?: string;
  readonly tools?: readonly {
    readonly name: string;
    readonly description?: string;
    readonly annotations?: {
      readonly readOnly?: boolean;
      readonly destructive?: boolean;
      readonly openWorld?: boolean;
    };
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
}

/** Which servers came, which went, and which cannot be reached, with the reason. */
export interface McpServersChange {
  /** New ones, also those that cannot be reached. */
  readonly added: readonly string[];
  /** Those that the agent has no more. */
  readonly removed: readonly string[];
  /** Why, by the name of the server. */
  readonly errors: Readonly<Record<string, string>>;
}

/** Where a person signs in to an MCP server that the agent dials. */
export interface McpSignIn {
  /** The page, unless the tokens that there are suffice. */
  readonly authUrl?: string;
  /** Whether the agent waits for a person. */
  readonly requiresUserAction: boolean;
  /** Whether the agent listens for the person's return. */
  readonly callbackExpected?: boolean;
  /** Where it listens. */
  readonly callbackPort?: number;
}

/** A resource of an MCP server, in its parts. */
export interface McpResource {
  /** Most resources have one. */
  readonly contents: readonly {
    readonly uri: string;
    readonly mimeType?: string;
    readonly text?: string;
    /** In base64. */
    readonly blob?: string;
    readonly _meta?: Readonly<Record<string, unknown>>;
  }[];
}

/** Whether a turn was taken back, and what it was. */
export interface ConversationRewind {
  readonly rewound: boolean;
  readonly targetMessageUuid?: string;
  /** The text of its message. */
  readonly prefillText: string | null;
  /** The last message before it; `null` before the first turn. */
  readonly precedingAssistantUuid: string | null;
  readonly error?: string;
  readonly reason?: 'target_not_found' | 'stale_target' | 'turn_running' | (string & {});
}

/** What going back to a message does to files, or would do. */
export interface RewindReport {
  readonly canRewind: boolean;
  readonly error?: string;
  readonly filesChanged?: readonly string[];
  readonly insertions?: number;
  readonly deletions?: number;
  readonly skippedLinks?: number;
}

/** A file as the agent reads it. */
export interface ReadFileAnswer {
  readonly contents: string;
  readonly absPath: string;
  readonly truncated?: boolean;
  readonly encoding?: 'base64';
  /** Whether bytes that are not UTF-8 were replaced. */
  readonly lossy?: boolean;
  readonly requested_path?: string;
}

/** What the agent has after it loaded its plugins again. */
export interface PluginsReload {
  readonly commands: readonly SlashCommand[];
  readonly agents: readonly AgentInfo[];
  readonly plugins: readonly {
    readonly name: string;
    readonly path: string;
    readonly source?: string;
    readonly version?: string;
  }[];
  readonly mcpServers: readonly McpServerStatus[];
  readonly error_count: number;
  /** Whether nothing was changed because of what it would do to the cache of the prompt. */
  readonly held?: boolean;
  readonly cache_impact?: {
    readonly mcp_servers_added: readonly string[];
    readonly mcp_servers_removed: readonly string[];
    readonly lsp_tool_change: 'adds' | 'may-add' | 'removes' | 'may-remove' | null;
  };
}

/** The permission rules that the agent follows. */
export interface PermissionRulesState {
  readonly rules: readonly PermissionRuleEntry[];
  readonly workspaceDirectories: readonly { readonly path: string; readonly source: string }[];
  readonly originalCwd: string;
  readonly managedOnly: boolean;
  readonly errors?: readonly SettingsParseError[];
  readonly withheld?: boolean;
}

/** A rule that the agent follows, and where it has it from. */
export interface PermissionRuleEntry {
  readonly behavior: 'allow' | 'deny' | 'ask';
  readonly source:
    | 'userSettings'
    | 'projectSettings'
    | 'localSettings'
    | 'flagSettings'
    | 'policySettings'
    | 'cliArg'
    | 'command'
    | 'session'
    | 'mcpMount'
    | 'toolsNarrowing'
    | 'mcpServerPolicy'
    | 'hostCredential';
  readonly rule: string;
  /** The rule as a sentence, in three parts. */
  readonly description?: { readonly prefix: string; readonly emphasis?: string; readonly suffix?: string };
  readonly editability: 'persistent' | 'session' | 'readonly';
  readonly notInEffect?: boolean;
}

/** Hooks of settings files. Those of this program are not among them. */
export interface HooksListing {
  /** Events that have hooks. */
  readonly events: readonly (HookEventInfo & { readonly hookCount: number })[];
  readonly hooks: readonly ListedHook[];
  /** All events that the agent supports. */
  readonly eventCatalog: readonly HookEventInfo[];
  readonly policy: {
    readonly disabledByPolicy: boolean;
    readonly managedOnly: boolean;
    readonly pluginOnly: boolean;
    readonly allDisabled: boolean;
    readonly policyHookCount: number;
    readonly policyUnreadable?: true;
  };
  readonly safeMode?: { readonly managedHooksStillApply: boolean; readonly exitHint: string };
  readonly bareMode?: { readonly exitHint: string };
  readonly errors?: readonly SettingsParseError[];
}

interface HookEventInfo {
  readonly name: string;
  readonly summary: string;
  readonly supportsMatcher: boolean;
}

interface ListedHook {
  readonly event: string;
  readonly matcher: string;
  readonly source: string;
  readonly sourceLabel: string;
  readonly pluginName?: string;
  readonly type: string;
  readonly displayText: string;
  readonly commandText: string;
  readonly contentLabel: string;
  readonly condition?: string;
  readonly timeout?: number;
  readonly statusMessage?: string;
  readonly runsOnce?: boolean;
  readonly runsInBackground?: boolean;
  readonly disabled?: true;
  readonly editable?: {
    readonly matcher: string;
    readonly config: Readonly<Record<string, unknown>>;
    readonly headersRedacted?: true;
  };
}
