import { delay, limit, oneOf, record, text, type Checks } from '@hexagent/checks';
import type {
  AgentOpener,
  Clock,
  Ids,
  LeaseStore,
  OutboxStore,
  SessionDirectory,
  SessionLog,
  SessionSignals,
  TenantPlaces,
} from '@hexagent/ports';
import type { CrashOptions } from './crash-policy.ts';
import type { AutoResume } from './session-parts.ts';

/** What a program sets of a host, whatever joins it. */
export type HostingOptions = HostLimits & Pick<SessionHostOptions, 'autoResume' | 'crashes' | 'owner'>;

export interface SessionHostOptions extends HostLimits {
  /** Opens the agents: `(request) => openSession({ ...request.options })`, with whatever else a session needs. */
  readonly open: AgentOpener;
  /** Stores messages until they are finished. */
  readonly outbox: OutboxStore;
  /** Keeps which sessions there are. */
  readonly directory: SessionDirectory;
  /** Keeps two hosts from driving one session. */
  readonly leases: LeaseStore;
  /**
   * Reports to the other processes that use these stores, and by them, that there is something to read. With it, `send()` takes messages of
   * sessions that another process drives, and a host takes up what a process left that has exited. Default: none, and `SESSION_HELD`.
   */
  readonly signals?: SessionSignals | undefined;
  /** Where the places of tenants count: with them `maxLivePerTenant` holds for all processes together. Default: in this process. */
  readonly places?: TenantPlaces | undefined;
  /** What happens in the sessions, for those who show it. Default: a `MemoryLog`. */
  readonly log?: SessionLog | undefined;
  readonly clock: Clock;
  readonly ids: Pick<Ids, 'uuid'>;
  /** The time of day, in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: (() => number) | undefined;
  /** Numbers from 0 to 1, for delays that differ. Default: `Math.random`. */
  readonly random?: (() => number) | undefined;
  /** The name of this process for people: it is shown, before a uuid, where another process is refused a lease. Default: no name. */
  readonly owner?: string | undefined;
  /** Where other processes reach this one: kept by the lease store, and with each session that was driven here last. Default: nowhere. */
  readonly address?: string | undefined;
  /**
   * What happens to messages that were cut off when an agent, or this process, died: they wait until the program continues
   * the session (`wait`, the default), are sent again by themselves (`continue`), or are given up (`never`).
   */
  readonly autoResume?: AutoResume | undefined;
  /**
   * Which of the sessions this host takes up that have something pending: called by `recover()` and in each sweep with those that it
   * does not have, the longest waiting first, and the owner under which the lease store has this host. Default: all of them.
   */
  readonly claims?: ((sessions: readonly string[], owner: string) => Promise<readonly string[]>) | undefined;
  /** Called before messages are run that another process stored, or left. They are run once it has settled, however it does. */
  readonly onFound?: ((id: string) => Promise<void>) | undefined;
  /** Called once when the host was closed or drained, before that resolves: closes the stores, if they are the host's alone. */
  readonly onClosed?: (() => Promise<void>) | undefined;
  /** When an agent that ended by itself is started again. */
  readonly crashes?: CrashOptions | undefined;
}

/** All have a default. */
export interface HostLimits {
  /** How many agents live at once. Default 20. */
  readonly maxLive?: number | undefined;
  /** How many of them may be starting. Default 2. */
  readonly maxStarting?: number | undefined;
  /** How many live at once for one tenant, with `places` in all processes together. Default: no limit of its own. */
  readonly maxLivePerTenant?: number | undefined;
  /** How many sessions may wait for an agent. Default 1000. */
  readonly maxWaiting?: number | undefined;
  /** How many of one tenant may. Default: no limit of its own. */
  readonly maxWaitingPerTenant?: number | undefined;
  /** How many messages of one session may be unfinished. Default 100. */
  readonly maxPending?: number | undefined;
  /** How many bytes the unfinished messages of all sessions may have together, as JSON. Default 128 MB. */
  readonly maxPendingBytes?: number | undefined;
  /** How many bytes those of one tenant may have. Sessions without a tenant share the limit of all. Default 32 MB. */
  readonly maxPendingBytesPerTenant?: number | undefined;
  /** How long an agent may be idle before it is ended, in milliseconds. Default: ten minutes. */
  readonly idleMs?: number | undefined;
  /** How long to wait before an agent is started whose session another process left without giving it back. Default 3000. */
  readonly takeoverGraceMs?: number | undefined;
  /** With `signals`: how often the stores are read for what no signal reported. Default 2000. */
  readonly sweepMs?: number | undefined;
}

const defaults = {
  maxLive: 20,
  maxStarting: 2,
  maxLivePerTenant: Infinity,
  maxWaiting: 1000,
  maxWaitingPerTenant: Infinity,
  maxPending: 100,
  maxPendingBytes: 128_000_000,
  maxPendingBytesPerTenant: 32_000_000,
  idleMs: 600_000,
  takeoverGraceMs: 3000,
  sweepMs: 2000,
} as const;

const limitChecks: Checks<HostLimits> = {
  maxLive: limit,
  maxStarting: limit,
  maxLivePerTenant: limit,
  maxWaiting: limit,
  maxWaitingPerTenant: limit,
  maxPending: limit,
  maxPendingBytes: limit,
  maxPendingBytesPerTenant: limit,
  idleMs: delay,
  takeoverGraceMs: delay,
  sweepMs: limit,
};

/** What the options must be that a program sets, and not what joins the host. */
export const hostingChecks: Checks<HostingOptions> = {
  ...limitChecks,
  autoResume: oneOf<AutoResume>('wait', 'continue', 'never'),
  crashes: record<CrashOptions>({ firstDelayMs: delay, longestDelayMs: delay, maxCrashes: limit }),
  owner: text(),
};

/** @throws {TypeError} for an invalid limit, naming it. */
export function checkedLimits(options: HostLimits): { readonly [Name in keyof HostLimits]-?: number } {
  const names = Object.keys(limitChecks) as (keyof HostLimits)[]; // by its type, the table has exactly these
  const checked = names.map((name) => [name, limitChecks[name](options[name] ?? defaults[name], name)] as const);
  return Object.fromEntries(checked) as { readonly [Name in keyof HostLimits]-?: number }; // each name is there
}

/** @throws {TypeError} */
export function checkedAutoResume(value: AutoResume = 'wait'): AutoResume {
  return hostingChecks.autoResume(value, 'autoResume');
}
