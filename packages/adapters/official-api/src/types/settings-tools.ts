import type { Mutable } from './mutable.ts';
import type { SandboxSettings } from './sandbox.ts';

/** What the agent may do. */
export interface PermissionSettings {
  /** Rules, by the decision about a call that one of them matches. */
  permissions?: {
    allow?: string[];
    deny?: string[];
    ask?: string[];
    defaultMode?: 'acceptEdits' | 'auto' | 'bypassPermissions' | 'default' | 'dontAsk' | 'plan';
    disableBypassPermissionsMode?: 'disable';
    disableAutoMode?: 'disable';
    denyInsteadOfPrompting?: boolean;
    additionalDirectories?: string[];
    workingDirectoriesAsGiven?: string[];
    blockReadsOutsideWorkingDirectories?: boolean;
    blockWritesOutsideWorkingDirectories?: boolean;
    blockReadsExemptPaths?: string[];
    [key: string]: unknown;
  };
  allowManagedPermissionRulesOnly?: boolean;
  skipDangerousModePermissionPrompt?: boolean;
  /** What the mode `auto` counts as harmless or not. */
  autoMode?: {
    allow?: string[];
    soft_deny?: string[];
    hard_deny?: string[];
    environment?: string[];
    classifyAllShell?: boolean;
  };
  disableAutoMode?: 'disable';
  skipAutoPermissionPrompt?: boolean;
  useAutoModeDuringPlan?: boolean;
  sandbox?: Mutable<SandboxSettings>;

  defaultShell?: 'bash' | 'powershell';
  disableWindowsBashCommandSplit?: boolean;
  bashEditDiffEnabled?: boolean;
  bashOutputMaxChars?: number;
  taskOutputMaxChars?: number;
  respondToBashCommands?: boolean;
  skipWebFetchPreflight?: boolean;
  todoFeatureEnabled?: boolean;
}

/** Hooks that the agent runs itself, beside those of the program. */
export interface HookSettings {
  hooks?: { [event: string]: { matcher?: string; hooks: Hook[] }[] };
  disableAllHooks?: boolean;
  allowManagedHooksOnly?: boolean;
  allowedHttpHookUrls?: string[];
  httpHookAllowedEnvVars?: string[];
}

type Hook = CommandHook | PromptHook | AgentHook | HttpHook | McpToolHook;

type AnyHook = {
  /** A permission rule; the hook runs for the calls that it matches. */
  if?: string;
  /** In seconds. */
  timeout?: number;
  statusMessage?: string;
  once?: boolean;
};

type OnFailure = { onFailure?: 'continue' | 'block' };

type CommandHook = AnyHook &
  OnFailure & {
    type: 'command';
    command: string;
    args?: string[];
    shell?: 'bash' | 'powershell';
    async?: boolean;
    asyncRewake?: boolean;
  };

type PromptHook = AnyHook & { type: 'prompt'; prompt: string; model?: string; continueOnBlock?: boolean };

type AgentHook = AnyHook & { type: 'agent'; prompt: string; model?: string };

type HttpHook = AnyHook &
  OnFailure & { type: 'http'; url: string; headers?: { [name: string]: string }; allowedEnvVars?: string[] };

type McpToolHook = AnyHook &
  OnFailure & { type: 'mcp_tool'; server: string; tool: string; input?: { [name: string]: unknown } };
