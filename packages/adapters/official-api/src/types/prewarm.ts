import type { AgentDefinition, PermissionMode } from './common.ts';
import type { SDKUserMessage } from './messages.ts';
import type { Query } from './query.ts';

/** An agent that was started and waits for its prompt. */
export interface WarmQuery extends AsyncDisposable {
  query(prompt: string | AsyncIterable<SDKUserMessage>): Query;
  close(): void;
}

/** An agent that was started and belongs to no folder yet. */
export interface SpareProcess extends AsyncDisposable {
  claim(params: { prompt: string | AsyncIterable<SDKUserMessage>; options: ClaimOptions }): Query;
  readonly claimed: Promise<{ cwd: string; sessionId: string; parkedMs?: number; sdkMcpSettled: boolean }>;
  readonly exited: Promise<void>;
  close(): void;
}

/** What a spare agent receives when it is claimed. */
export type ClaimOptions = {
  cwd: string;
  env?: Record<string, string>;
  additionalDirectories?: string[];
  model?: string;
  permissionMode?: PermissionMode;
  maxThinkingTokens?: number | null;
  settings?: Parameters<Query['applyFlagSettings']>[0];
  appendSystemPrompt?: string;
  title?: string;
  agents?: Record<string, AgentDefinition>;
};
