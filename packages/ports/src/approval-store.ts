import type { Decision, SuggestionNote } from './approvals.ts';
import type { AnyToolInput } from './tools/inputs.ts';
import type { PermissionUpdate } from './vocabulary/permission-values.ts';

/*
 * A request to a person, and the answer, as data that outlives the process in which the agent asked.
 */

/** A call of a tool that needs permission, a question (`AskUserQuestion`), or a plan (`ExitPlanMode`). */
export type ApprovalKind = 'permission' | 'question' | 'plan';

/**
 * - `open`: it waits for an answer.
 * - `answered`: a person decided.
 * - `cancelled`: the agent does not wait any more.
 * - `expired`: it was not answered in time, where a limit was set.
 * - `lost`: the agent that asked has exited, and another one may ask again.
 */
export type ApprovalState = 'open' | 'answered' | 'cancelled' | 'expired' | 'lost';

/** What the person is shown, and the answer, as JSON. Times are milliseconds since 1970. */
export interface ApprovalRecord {
  readonly id: string;
  /** The session, by the name that the program gave it: not the agent's id, which may change. */
  readonly session: string;
  readonly kind: ApprovalKind;
  readonly toolUseId: string;
  /** The subagent that asks, if one does. */
  readonly agentId?: string | undefined;
  readonly tool: string;
  /** The input of the tool, unless the answer changes it. */
  readonly input: AnyToolInput;
  /** Changes to the CLI's rules, mode or directories that the agent suggests, to be chosen one by one. */
  readonly suggestions: readonly PermissionUpdate[];
  /** Suggestions after which the agent asks about this call again, with the reason. */
  readonly asksAgain?: readonly SuggestionNote[] | undefined;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly blockedPath?: string | undefined;
  readonly createdAt: number;
  readonly expiresAt?: number | undefined;
  /** The answer to an earlier request for the same call. It is shown to the person, and never applied. */
  readonly offered?: OfferedAnswer | undefined;
  readonly state: ApprovalState;
  /** The decision, when it was answered. */
  readonly answer?: Decision | undefined;
  /** Who answered. */
  readonly actor?: string | undefined;
  readonly settledAt?: number | undefined;
  /** Why it was cancelled, as a text for a person. */
  readonly reason?: string | undefined;
}

/** An earlier request for the same call in the same session: answered, or lost without an answer. */
export interface OfferedAnswer {
  /** The id of the earlier record. */
  readonly id: string;
  readonly answer?: Decision | undefined;
  readonly actor?: string | undefined;
  /** When it was settled. */
  readonly at: number;
}

/** How a record ends. */
export interface Settlement {
  readonly state: Exclude<ApprovalState, 'open'>;
  readonly settledAt: number;
  readonly answer?: Decision | undefined;
  readonly actor?: string | undefined;
  readonly reason?: string | undefined;
}

/** The result of a settlement. Of all settlements of a record exactly one is `settled`. */
export type SettleOutcome =
  | { readonly outcome: 'settled'; readonly record: ApprovalRecord }
  /** Another one came first: this one changed nothing, and the record shows the first. */
  | { readonly outcome: 'already'; readonly record: ApprovalRecord }
  | { readonly outcome: 'unknown' };

/** One settled request, for an audit of who allowed what. Recognized secrets are removed from it. */
export interface ApprovalAuditEntry {
  /** The id of the record. */
  readonly id: string;
  readonly session: string;
  readonly kind: ApprovalKind;
  readonly toolUseId: string;
  readonly agentId?: string | undefined;
  readonly tool: string;
  /** What the person was shown. */
  readonly input: unknown;
  readonly askedAt: number;
  readonly state: Settlement['state'];
  readonly settledAt: number;
  readonly actor?: string | undefined;
  readonly behavior?: 'allow' | 'deny' | undefined;
  /** The text that the model received with a denial. */
  readonly message?: string | undefined;
  /** The input of the tool, where the answer changed it. */
  readonly changedInput?: unknown;
  /** The rules, modes and directories that were sent with the answer, each to be stored at its `destination`. */
  readonly updates?: unknown;
  readonly reason?: string | undefined;
}

/** Which records are meant. A field that is left out does not restrict them. */
export interface ApprovalFilter {
  readonly session?: string | undefined;
  readonly state?: ApprovalState | undefined;
  readonly tool?: string | undefined;
}

/**
 * Keeps requests to people and their answers. Called by one process at a time, unless the store allows several.
 * Calls may overlap. What was given may be changed by the caller afterwards, and what was returned as well, without any
 * change in the store.
 */
export interface ApprovalStore {
  /**
   * Keeps an open record. Resolves when it would survive the process, where the store outlives it. `fence` is that of the lease under
   * which the agent runs that asks, where there is one.
   * @throws {TypeError} when there is a record of this id: it stays as it is.
   * @throws {SdkError} `LEASE_LOST` where a record of the session was added under a higher `fence`; nothing is kept then.
   */
  add(record: ApprovalRecord, fence?: number): Promise<void>;
  get(id: string): Promise<ApprovalRecord | undefined>;
  /** In the order in which they were added. */
  list(filter?: ApprovalFilter): Promise<readonly ApprovalRecord[]>;
  /**
   * Ends a record, if it is open, and keeps the entry with it: both or neither. Of any number of calls, at the same time
   * or in processes that follow each other, exactly one is `settled`, also where another process has the lease of the session. It resolves only when that would survive the
   * process, so that no answer takes effect that could be lost. A call that rejects may have settled the record or not.
   */
  settle(id: string, settlement: Settlement, entry: ApprovalAuditEntry): Promise<SettleOutcome>;
  /** The settled requests, in that order. Entries are added and never changed. */
  audit(filter?: Pick<ApprovalFilter, 'session'>): AsyncIterable<ApprovalAuditEntry>;
}
