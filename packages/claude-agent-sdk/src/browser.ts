import { notYet } from './not-yet.ts';
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

/** Whether frames of other clients are guarded on a stream of events: there is no such stream yet. */
export const G4_TEXT_ENVELOPE_ARM_PORTED: boolean = false;

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function query(_options: BrowserQueryOptions): Query {
  throw notYet('query', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function getSseDropCounts(_query: Query): Readonly<Record<string, number>> | undefined {
  throw notYet('getSseDropCounts', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function getSseLastSequenceNum(_query: Query): number | undefined {
  throw notYet('getSseLastSequenceNum', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function getCcrEvent(
  _query: Query,
  _message: SDKMessage,
): { event_id: string; sequence_num: number; created_at?: string; source?: string } | undefined {
  throw notYet('getCcrEvent', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function suspendSseStream(_query: Query): boolean {
  throw notYet('suspendSseStream', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. */
export function resumeSseStream(_query: Query): boolean {
  throw notYet('resumeSseStream', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function CommandMatcher(): never {
  throw notYet('CommandMatcher', './browser');
}

/** Not supported yet: throws `NOT_SUPPORTED_YET`. Officially a class without a type. */
export function FileIndex(): never {
  throw notYet('FileIndex', './browser');
}
