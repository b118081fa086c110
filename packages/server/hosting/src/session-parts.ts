import type {
  AgentOpener,
  Clock,
  OutboxStore,
  SessionDirectory,
  SessionLog,
  SessionRecord,
  SessionSignals,
  SessionState,
} from '@hexagent/ports';
import type { Admission } from './admission.ts';
import type { CrashOptions } from './crash-policy.ts';
import type { LeaseKeeper } from './lease-keeper.ts';
import type { Routing } from './routing.ts';

/** A session as a host shows it. */
export interface SessionInfo extends SessionRecord {
  /** `parked` also where another process drives it. */
  readonly state: SessionState;
  /** How many messages are pending. Counted only where this host drives the session. */
  readonly pending: number;
  /** Whether messages that were cut off wait for `restart()`, `discard()` or another message. */
  readonly isHeld: boolean;
  /** Whether its agent crashed too often: nothing is started or taken until `restart()` or `discard()`. */
  readonly isCrashing: boolean;
}

/** What happens to messages that were cut off with their agent. */
export type AutoResume = 'wait' | 'continue' | 'never';

/** What is stored of a session, and by whom. */
export interface LedgerParts {
  readonly id: string;
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseKeeper;
  /** Where other processes reach this one. */
  readonly address: string | undefined;
  readonly signals: SessionSignals | undefined;
  readonly clock: Clock;
  readonly now: () => number;
  readonly autoResume: AutoResume;
  readonly log: SessionLog;
  /** Throws `HOST_FULL` where one more message is too many. */
  readonly admit: (arrival: Arrival) => void;
  /** Called when the session may no longer be needed in memory: it has no agent, no lease and no pending message. */
  readonly rested: () => void;
}

export interface LedgerEvents {
  /** Messages were read from the store that another process stored, or left. Never rejects. */
  readonly onFound: () => Promise<void>;
  /** Called when `isHeld` may have changed. */
  readonly onHeld: () => void;
  readonly onLogFailed: (error: unknown) => void;
}

export interface HostedSessionParts extends LedgerParts {
  /** Messages were read from the outbox that another process stored, or left. Never rejects. */
  readonly found: () => Promise<void>;
  readonly routing: Pick<Routing, 'send'> | undefined;
  readonly open: AgentOpener;
  readonly random: () => number;
  readonly admission: Admission;
  readonly crashes: CrashOptions;
  readonly idleMs: number;
  readonly takeoverGraceMs: number;
}

/** A message that is to be stored. */
export interface Arrival {
  readonly tenant: string | undefined;
  readonly bytes: number;
  /** How many messages of its session are unfinished. */
  readonly pending: number;
  /** Whether its session has an agent, or waits for one already. */
  readonly hasPlace: boolean;
}
