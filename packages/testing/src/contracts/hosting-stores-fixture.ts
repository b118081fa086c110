import type {
  LeaseStore,
  OutboxStore,
  SessionDirectory,
  SessionLog,
  SessionSignals,
  TenantPlaces,
  TranscriptsOf,
} from '@hexagent/ports';

/** A store under test. */
export interface OpenedHostingStore<Store> {
  readonly store: Store;
  /** Another one over the same place, as a program has it that starts later. Left out where nothing is kept. */
  readonly reopen?: (() => Promise<Store> | Store) | undefined;
  /** Called at the end of each test. */
  readonly close?: (() => Promise<void> | void) | undefined;
}

/** Opens a store in which nothing is stored yet. */
export interface HostingStoreFixture<Store> {
  readonly open: () => Promise<OpenedHostingStore<Store>> | OpenedHostingStore<Store>;
  /** Whether what `open` returns has `reopen`. */
  readonly isDurable: boolean;
}

export interface OutboxStoreFixture extends HostingStoreFixture<OutboxStore> {
  /** How many uuids of finished messages a store of `open` recognizes in each session, 2 or more. Default 1000. */
  readonly keepsFinished?: number | undefined;
}

export type SessionDirectoryFixture = HostingStoreFixture<SessionDirectory>;
export type SessionLogFixture = HostingStoreFixture<SessionLog>;
export type SessionSignalsFixture = HostingStoreFixture<SessionSignals>;
export type TranscriptsFixture = HostingStoreFixture<TranscriptsOf>;

/** Places, and the leases whose workers take them. */
export interface PlacesAndWorkers {
  readonly places: TenantPlaces;
  readonly leases: Pick<LeaseStore, 'join' | 'leave'>;
}

export interface TenantPlacesFixture extends HostingStoreFixture<PlacesAndWorkers> {
  /** As of a `LeaseStoreFixture`. */
  readonly loseHolders?: ((store: PlacesAndWorkers) => Promise<void> | void) | undefined;
}

export interface LeaseStoreFixture extends HostingStoreFixture<LeaseStore> {
  /** Lets the holder of every lease go away without giving it back: its process dies, or its time passes. Left out where it cannot be tested. */
  readonly loseHolders?: ((store: LeaseStore) => Promise<void> | void) | undefined;
}
