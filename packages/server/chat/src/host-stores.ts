import path from 'node:path';
import { MemoryApprovalStore } from '@hexagent/approvals';
import { ApprovalFiles, DirectoryFiles, LeaseFiles, OutboxFiles, SignalFiles } from '@hexagent/host-files';
import { MemoryDirectory, MemoryLeases, MemoryOutbox } from '@hexagent/hosting';
import { postgresStores, type PostgresStores, type PostgresStoresOptions } from '@hexagent/postgres';
import type {
  ApprovalStore,
  LeaseStore,
  OutboxStore,
  SessionDirectory,
  SessionSignals,
  TenantPlaces,
  TranscriptsOf,
} from '@hexagent/ports';
import { ownStateFolder } from './state-folder.ts';

/** What a host of sessions keeps beside the transcripts of its agents. */
export interface HostStores {
  readonly outbox: OutboxStore;
  readonly directory: SessionDirectory;
  readonly leases: LeaseStore;
  /**
   * Between the processes that share the stores: with them, a message of a session that another process drives is run there. Default:
   * files, where the stores above are files.
   */
  readonly signals?: SessionSignals | undefined;
  /** Where `maxLivePerTenant` counts for all processes together. Default: with `postgres`, there; else in each process. */
  readonly places?: TenantPlaces | undefined;
}

/** What a chat keeps beside the transcripts of its agents. */
export interface ChatStores extends HostStores {
  readonly approvals: ApprovalStore;
}

/** Where records are kept. */
export interface StoreOptions<Stores> {
  /**
   * The folder in which they are kept. Default: one of this program and its working directory, below the folder where the
   * user's programs keep their state. `false`: in memory, so that they end with the process.
   */
  readonly folder?: string | false | undefined;
  /**
   * A PostgreSQL database instead, for several machines: its address, or options of `postgresStores()`. The transcripts of the agents are
   * kept there too. Needs the package `pg`.
   */
  readonly postgres?: string | PostgresStoresOptions | undefined;
  /** Stores of your own, instead. They are not closed. */
  readonly stores?: Partial<Stores> | undefined;
}

interface OpenedStores extends ChatStores {
  /** Where files are; `undefined` where nothing is kept in any. */
  readonly folder: string | undefined;
  /** Keeps the transcripts of agents; `undefined` where they keep them in files themselves. */
  readonly transcriptsOf?: TranscriptsOf | undefined;
  /** Closes those that were made here. */
  close(): Promise<void>;
}

/** What `make` returns, or throws: then the stores are closed, since no other code can. */
export function withStores<T>(opened: OpenedStores, make: (stores: OpenedStores) => T): T {
  try {
    return make(opened);
  } catch (error) {
    void opened.close();
    throw error;
  }
}

interface Purpose {
  /** The folder that they have by default, within that of the program. */
  readonly name: 'chats' | 'sessions';
  readonly needs: readonly (keyof ChatStores)[];
}

/**
 * Joins the given stores with files, or memory, for the others. Nothing is read or written before a store is used.
 * @throws {TypeError} for an invalid `folder`, and where another one of this process has the default folder.
 */
export function openStores(
  { folder, postgres, stores = {} }: StoreOptions<ChatStores>,
  { name, needs }: Purpose,
): OpenedStores {
  if (postgres !== undefined && folder !== undefined) throw new TypeError('Pass `folder` or `postgres`, not both.');
  if (postgres !== undefined) return withOwn(openDatabase(postgres), stores);
  const isComplete = needs.every((each) => stores[each] !== undefined);
  if (isComplete || folder === false)
    return { ...memoryStores(), ...given(stores), folder: undefined, close: async () => {} };
  const place = folder === undefined ? claimDefault(name) : absolute(folder);
  const files = {
    outbox: new OutboxFiles({ folder: place }),
    directory: new DirectoryFiles({ folder: place }),
    leases: new LeaseFiles({ folder: place }),
    approvals: new ApprovalFiles({ folder: place }),
    signals: new SignalFiles({ folder: place }),
  };
  const closeAll = async (): Promise<void> => {
    if (folder === undefined) inUse.delete(place);
    await Promise.all(Object.values(files).map((store) => store.close()));
  };
  let closed: Promise<void> | undefined;
  // Once: by a second time another one may have the default folder.
  const close = (): Promise<void> => (closed ??= closeAll());
  return { ...files, ...given(stores), signals: sharedSignals(stores, files), folder: place, close };
}

/** All that is stored in a database. */
export type DatabaseStores = PostgresStores & { readonly folder: undefined };

/** @throws {TypeError} for what is neither an address nor options of `postgresStores()`. */
export function openDatabase(postgres: string | PostgresStoresOptions): DatabaseStores {
  return { ...postgresStores(typeof postgres === 'string' ? { url: postgres } : postgres), folder: undefined };
}

function withOwn(made: DatabaseStores, own: Partial<ChatStores>): OpenedStores {
  // Places are held by the workers of these leases.
  const places = own.places ?? (own.leases === undefined ? made.places : undefined);
  return { ...made, ...given(own), signals: sharedSignals(own, made), places };
}

/** Processes that share these stores need not share the program's own. */
const sharedSignals = (own: Partial<ChatStores>, made: Pick<ChatStores, 'signals'>): SessionSignals | undefined =>
  own.signals ??
  ([own.outbox, own.directory, own.leases].every((store) => store === undefined) ? made.signals : undefined);

/** Where it is now, also after a `chdir()`. What is not a path is refused by the stores. */
const absolute = (folder: string): string =>
  typeof folder === 'string' && folder !== '' ? path.resolve(folder) : folder;

const given = (stores: Partial<ChatStores>): Partial<ChatStores> =>
  Object.fromEntries(Object.entries(stores).filter(([, store]) => store !== undefined));

const memoryStores = (): ChatStores => ({
  outbox: new MemoryOutbox(),
  directory: new MemoryDirectory(),
  leases: new MemoryLeases(),
  approvals: new MemoryApprovalStore(),
});

/** The default folders that are in use in this process. */
const inUse = new Set<string>();

/**
 * Two of one process would show each other's chats to their callers, although each may have options and a sign-in of its
 * own. Two processes of one program have the same.
 */
function claimDefault(name: Purpose['name']): string {
  const folder = ownStateFolder(name);
  if (inUse.has(folder))
    throw new TypeError(
      `The default folder is in use by other ${name} of this process, which are not closed: pass a \`folder\` of their own for each, or \`folder: false\` to keep them in memory.`,
    );
  inUse.add(folder);
  return folder;
}
