import type { DialogAnswer } from '@hexagent/ports';
import type { Meta } from './json-rpc.ts';
import type { Mutable } from './mutable.ts';

/** A server that the CLI dialled asks the user for something. */
export type ElicitationRequest = {
  serverName: string;
  message: string;
  /** `form`: fill in `requestedSchema`. `url`: go there. */
  mode?: 'form' | 'url';
  url?: string;
  elicitationId?: string;
  requestedSchema?: Record<string, unknown>;
  title?: string;
  displayName?: string;
  description?: string;
};

/** The answer, as MCP writes it. */
export type ElicitationResult = {
  [key: string]: unknown;
  action: 'accept' | 'decline' | 'cancel';
  content?: { [field: string]: string | number | boolean | string[] } | undefined;
  _meta?: Meta | undefined;
};

/** `null` leaves the request for someone else to answer. Without this callback everything is declined. */
export type OnElicitation = (
  request: ElicitationRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<ElicitationResult | null>;

/** The agent requests a dialog; only of kinds that are named in `supportedDialogKinds`. */
export type UserDialogRequest = { dialogKind: string; payload: Record<string, unknown>; toolUseID?: string };

export type UserDialogResult = Mutable<DialogAnswer>;

/** `null` leaves the dialog for someone else to answer. */
export type OnUserDialog = (
  request: UserDialogRequest,
  options: { signal: AbortSignal; requestId: string },
) => Promise<UserDialogResult | null>;
