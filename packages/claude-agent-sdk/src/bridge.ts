import { notOffered } from './not-offered.ts';
import type { PermissionMode, SDKControlRequest, SDKControlResponse, SDKMessage } from '@hexagent/sdk/claude-agent-sdk';

/** What a bridged session is doing. */
export type SessionState = 'idle' | 'running' | 'requires_action';

/** A session that is shown and steered from elsewhere. */
export type BridgeSessionHandle = {
  readonly sessionId: string;
  getSequenceNum(): number;
  getEpoch(): number | undefined;
  isConnected(): boolean;
  write(msg: SDKMessage): void;
  sendResult(): void;
  sendControlRequest(req: SDKControlRequest): void;
  sendControlResponse(res: SDKControlResponse): void;
  sendControlCancelRequest(requestId: string): void;
  reconnectTransport(opts: { ingressToken: string; apiBaseUrl: string; epoch?: number }): Promise<void>;
  reportState(state: SessionState): void;
  reportMetadata(metadata: Record<string, unknown>): void;
  reportDelivery(eventId: string, status: 'processing' | 'processed'): void;
  flush(): Promise<void>;
  close(): void;
};

type Refusal = { ok: false; error: string };
type Done = { ok: true } | Refusal;
type DoneWithNotices = { ok: true; notices?: string[] } | Refusal;

/** What is attached, and what is called when the other side asks for something. */
export type AttachBridgeSessionOptions = {
  sessionId: string;
  ingressToken: string;
  apiBaseUrl: string;
  epoch?: number;
  initialSequenceNum?: number;
  heartbeatIntervalMs?: number;
  outboundOnly?: boolean;
  claudeCodeVersion?: string;
  onInboundMessage?: (msg: SDKMessage) => void | Promise<void>;
  onPermissionResponse?: (res: SDKControlResponse) => boolean | void;
  onInterrupt?: () => void;
  onStopTask?: (taskId: string) => Promise<void>;
  onBackgroundTasks?: (toolUseId: string | undefined) => boolean | Promise<boolean>;
  onSetModel?: (model: string | undefined) => DoneWithNotices | void | Promise<DoneWithNotices>;
  onSetMaxThinkingTokens?: (
    tokens: number | null | undefined,
    thinkingDisplay?: 'summarized' | 'omitted' | 'highlights' | null,
  ) => Done | void | Promise<Done | void>;
  onSetPermissionMode?: (mode: PermissionMode) => Done;
  onRenameSession?: (title: string) => Done;
  onClose?: (code?: number) => void;
};

/** What a remote worker is let in with. */
export type RemoteCredentials = { worker_jwt: string; api_base_url: string; expires_in: number; worker_epoch: number };

/** Why there are no credentials, and never will be. */
export type CredentialsFailure = { terminal: true } & (
  | { reason: 'untrusted_device' | 'session_stale_relogin' | 'invalid_session_id' }
  | { reason: 'session_security_tier_below_org_policy'; status: 403 }
  | {
      reason: 'request_rejected';
      status: number;
      source?: 'origin' | 'nonorigin_cf' | 'nonorigin_other';
      sessionNotBridge?: true;
    }
  | { reason: 'malformed_response'; status: number }
);

/** The login was refused; another may do. */
export type CredentialsRejection = { terminal: false; reason: 'oauth_rejected' };

/** Where the code of a session lies. */
export type CodeSessionGitContext = { gitRepoUrl: string; branch: string; defaultBranch?: string };

/** Keeps one complaint from being logged again. */
export type BranchDropLogDedup = { lastKey?: string | null };

/** Why a session was not created, and never will be. */
export type CreateSessionFailure = {
  terminal: true;
  reason: 'grouping_rejected' | 'request_rejected' | 'malformed_response';
  status: number;
  detail: string | undefined;
};

/** Not offered: rejects with `NOT_OFFERED`. */
export function attachBridgeSession(_opts: AttachBridgeSessionOptions): Promise<BridgeSessionHandle> {
  return Promise.reject(notOffered('attachBridgeSession', './bridge'));
}

/** Not offered: rejects with `NOT_OFFERED`. */
export function createCodeSession(
  _baseUrl: string,
  _accessToken: string,
  _title: string,
  _timeoutMs: number,
  _tags?: string[],
  _gitContext?: CodeSessionGitContext,
  _cwd?: string,
  _model?: string,
  _sessionGroupingId?: string,
  _dropLogDedup?: BranchDropLogDedup,
): Promise<string | CreateSessionFailure | CredentialsRejection | null> {
  return Promise.reject(notOffered('createCodeSession', './bridge'));
}

/** Not offered: rejects with `NOT_OFFERED`. */
export function fetchRemoteCredentials(
  _sessionId: string,
  _baseUrl: string,
  _accessToken: string,
  _timeoutMs: number,
  _trustedDeviceToken?: string,
): Promise<RemoteCredentials | CredentialsFailure | CredentialsRejection | null> {
  return Promise.reject(notOffered('fetchRemoteCredentials', './bridge'));
}

/** Not offered: throws `NOT_OFFERED`. */
export function isCreateSessionFailure(
  _outcome: string | CreateSessionFailure | CredentialsRejection | null,
): _outcome is CreateSessionFailure {
  throw notOffered('isCreateSessionFailure', './bridge');
}

/** Not offered: throws `NOT_OFFERED`. */
export function isCredentialsFailure(
  _outcome: RemoteCredentials | CredentialsFailure | CredentialsRejection | null,
): _outcome is CredentialsFailure {
  throw notOffered('isCredentialsFailure', './bridge');
}

/** Not offered: throws `NOT_OFFERED`. */
export function isCredentialsRejection(_outcome: unknown): _outcome is CredentialsRejection {
  throw notOffered('isCredentialsRejection', './bridge');
}
