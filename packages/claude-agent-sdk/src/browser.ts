import { notOffered } from './not-offered.ts';
import type {
  CanUseTool,
  HookCallbackMatcher,
  HookEvent,
  McpServerConfig,
  OnElicitation,
  OnUserDialog,
  Query,
  SDKMessage,
  SDKUserMessage,
} from '@hexagent/sdk/claude-agent-sdk';

export type {
  CanUseTool,
  ElicitationRequest,
  ElicitationResult,
  HookCallbackMatcher,
  HookEvent,
  McpSdkServerConfigWithInstance,
  McpServerConfig,
  OnElicitation,
  OnUserDialog,
  Query,
  SDKAssistantMessage,
  SDKMessage,
  SDKResultMessage,
  SDKSystemMessage,
  SDKUserMessage,
  UserDialogRequest,
  UserDialogResult,
} from '@hexagent/sdk/claude-agent-sdk';
// From where it is made: the facade needs more of a runtime than a browser has.
export { createSdkMcpServer, tool } from '@hexagent/mcp-sdk-server';

/** A token of a login. */
export type OAuthCredential = { type: 'oauth'; token: string };

/** What a socket sends before anything else. */
export type AuthMessage = { type: 'auth'; credential: OAuthCredential };

/** A socket to an agent elsewhere. */
export type WebSocketOptions = { url: string; headers?: Record<string, string>; authMessage?: AuthMessage };

/** A stream of server-sent events from an agent elsewhere, and where messages to it are sent. */
export type SSEOptions = {
  streamUrl: string;
  sendUrl: string;
  sessionId: string;
  headers?: Record<string, string>;
  fetchStream?: (url: string, init: RequestInit, overHttp: () => Promise<Response>) => Promise<Response>;
  fromSequenceNum?: number;
  onCatchUpTruncated?: () => void;
  onDeliveryUpdate?: (update: { event_id: string; status: string; timestamp?: string }) => void;
};

/** Options of a query in a browser: over a socket or over server-sent events. */
export type BrowserQueryOptions = {
  prompt: AsyncIterable<SDKUserMessage>;
  abortController?: AbortController;
  canUseTool?: CanUseTool;
  hooks?: Partial<Record<HookEvent, HookCallbackMatcher[]>>;
  mcpServers?: Record<string, McpServerConfig>;
  jsonSchema?: Record<string, unknown>;
  onElicitation?: OnElicitation;
  onUserDialog?: OnUserDialog;
  promptSuggestions?: boolean;
  supportedDialogKinds?: string[];
} & ({ websocket: WebSocketOptions; sse?: never } | { sse: SSEOptions; websocket?: never });

/** Whether frames of other clients are guarded on a stream of events: no such stream is offered. */
export const G4_TEXT_ENVELOPE_ARM_PORTED: boolean = false;

/** Not offered: throws `NOT_OFFERED`. */
export function query(_options: BrowserQueryOptions): Query {
  throw notOffered('query', './browser');
}

/** Not offered: throws `NOT_OFFERED`. */
export function getSseDropCounts(_query: Query): Readonly<Record<string, number>> | undefined {
  throw notOffered('getSseDropCounts', './browser');
}

/** Not offered: throws `NOT_OFFERED`. */
export function getSseLastSequenceNum(_query: Query): number | undefined {
  throw notOffered('getSseLastSequenceNum', './browser');
}

/** Not offered: throws `NOT_OFFERED`. */
export function getCcrEvent(
  _query: Query,
  _message: SDKMessage,
): { event_id: string; sequence_num: number; created_at?: string; source?: string } | undefined {
  throw notOffered('getCcrEvent', './browser');
}

/** Not offered: throws `NOT_OFFERED`. */
export function suspendSseStream(_query: Query): boolean {
  throw notOffered('suspendSseStream', './browser');
}

/** Not offered: throws `NOT_OFFERED`. */
export function resumeSseStream(_query: Query): boolean {
  throw notOffered('resumeSseStream', './browser');
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function CommandMatcher(): never {
  throw notOffered('CommandMatcher', './browser');
}

/** Not offered: throws `NOT_OFFERED`. In the official package a class without a type. */
export function FileIndex(): never {
  throw notOffered('FileIndex', './browser');
}
