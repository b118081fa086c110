import { setTimeout as wait } from 'node:timers/promises';
import { flag, given, having, record, wholePositive } from '@hexagent/checks';
import type {
  ApprovalStore,
  LeaseStore,
  OutboxStore,
  SessionDirectory,
  SessionSignals,
  TenantPlaces,
  TranscriptsOf,
} from '@hexagent/ports';
import { Database } from './database.ts';
import type { DatabaseOptions } from './options.ts';
import { PostgresApprovals } from './postgres-approvals.ts';
import { PostgresDirectory } from './postgres-directory.ts';
import { PostgresLeases } from './postgres-leases.ts';
import { PostgresPlaces } from './postgres-places.ts';
import { PostgresOutbox } from './postgres-outbox.ts';
import { PostgresSignals } from './postgres-signals.ts';
import { PostgresTranscripts } from './postgres-transcripts.ts';

export interface PostgresStoresOptions extends DatabaseOptions {
  /** How many uuids of finished messages are recognized at least in each session. Default 1000. */
  readonly keepFinished?: number | undefined;
  /** How long a worker has its leases when it is not heard of any more. Default 5000. */
  readonly leaseMs?: number | undefined;
}

/** What a host of sessions stores, in one schema of a database. */
export interface PostgresStores extends AsyncDisposable {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  readonly approvals: ApprovalStore;
  readonly places: TenantPlaces;
  readonly signals: SessionSignals;
  /** The transcripts that are written under a lease, and refused under an older one. */
  readonly transcriptsOf: TranscriptsOf;
  /** How long a worker has its leases when it is not heard of any more. */
  readonly leaseMs: number;
  /** Makes the tables, or brings them up to date, which the first call of a store does otherwise. */
  migrate(): Promise<void>;
  /** Ends what was made here; a pool of the program stays open. Safe to call twice. */
  close(): Promise<void>;
}

const closeMs = 5000;

const check = record<PostgresStoresOptions>(
  {
    keepFinished: wholePositive,
    leaseMs: wholePositive,
    pool: having('query', 'connect', 'on', 'off'),
    pooler: flag,
    schema: given(),
    url: given(),
  },
  { called: 'options' },
);

/**
 * Stores in PostgreSQL. Nothing is sent before one of them is used.
 * @throws {TypeError} for an option that is not what it must be.
 */
export function postgresStores(options: PostgresStoresOptions): PostgresStores {
  const { keepFinished = 1000, leaseMs = 5000, ...place } = check(options, '');
  const database = new Database(place);
  const signals = new PostgresSignals(database);
  const close = async (): Promise<void> => {
    // A server that does not answer must not keep the process.
    await Promise.race([signals.close().then(() => database.close()), wait(closeMs, undefined, { ref: false })]);
  };
  return {
    outbox: new PostgresOutbox(database, { keepFinished }),
    directory: new PostgresDirectory(database),
    leases: new PostgresLeases(database, { leaseMs }),
    approvals: new PostgresApprovals(database),
    places: new PostgresPlaces(database),
    signals,
    leaseMs,
    transcriptsOf: (lease) => new PostgresTranscripts(database, lease),
    migrate: () => database.ready(),
    close,
    [Symbol.asyncDispose]: close,
  };
}
