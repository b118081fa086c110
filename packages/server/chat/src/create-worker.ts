import type { Approvals } from '@hexagent/approvals';
import { given, record } from '@hexagent/checks';
import { createClaims } from '@hexagent/fleet';
import type { DrainOptions, SessionHost } from '@hexagent/hosting';
import { serveWorker, type ServedWorker, type ServeWorkerOptions } from '@hexagent/http-fleet';
import type { ChatDoor } from '@hexagent/ports';
import { endAgentsWhenFrozen, systemClock } from '@hexagent/processes';
import { agentChecks, type ChatAgentOptions } from './chat-options.ts';
import { fleetChecks, refuseOther, type FleetOptions } from './fleet-options.ts';
import { openDatabase, type DatabaseStores } from './host-stores.ts';
import { joinChats, type JoinedChats } from './join-chats.ts';
import { reportTo, type Reporting } from './reporting.ts';

/** How the agents of a worker run, and where gateways reach it. */
export interface WorkerOptions
  extends
    Omit<ChatAgentOptions, 'folder' | 'stores' | 'postgres'>,
    Pick<ServeWorkerOptions, 'address' | 'listen'>,
    FleetOptions {}

const { folder: _folder, stores: _stores, ...ownChecks } = agentChecks;

const workerOptions = record<WorkerOptions>(
  { ...ownChecks, ...fleetChecks, address: given(), listen: given() },
  { called: 'the options of createWorker()', required: ['postgres', 'address', 'identity'] },
);

/** A process that runs the agents of chats, for gateways. */
export interface ChatWorker extends AsyncDisposable {
  /** Where gateways reach it, with the port that it has. */
  readonly address: string;
  /** The sessions behind the chats. */
  readonly host: SessionHost;
  /** What waits for people, and what they answered. */
  readonly approvals: Approvals;
  /** For a deployment: takes no chat any more, lets turns end, and gives the chats to the other workers. */
  drain(options?: DrainOptions): Promise<void>;
  /** Ends every agent. Unfinished messages continue in other workers. */
  close(): Promise<void>;
}

/** What a worker leaves that has died is found by a sweep, and is to be taken within a second. */
const sweepMs = 500;

/**
 * Runs the agents of chats whose pages are at gateways. Resolves once gateways can reach it.
 * @throws {TypeError} for options that make no sense.
 * @throws {SdkError} `STORE_UNREACHABLE` or `STORE_FAILED` where the database cannot be used.
 */
export async function createWorker(options: WorkerOptions): Promise<ChatWorker> {
  refuseOther(options, 'createWorker');
  const checked = workerOptions(options, '');
  const reporting = reportTo(checked.onError);
  const stores = openDatabase(checked.postgres);
  try {
    return await joinWorker(checked, stores, reporting);
  } catch (error) {
    await stores.close();
    throw error;
  }
}

async function joinWorker(options: WorkerOptions, stores: DatabaseStores, reporting: Reporting): Promise<ChatWorker> {
  const { address, listen, identity, ranges, place } = options;
  // The port may be the system's choice, which the chats have to know.
  let chats: JoinedChats | undefined;
  const door: ChatDoor = {
    get sessions() {
      return opened(chats).door.sessions;
    },
    get approvals() {
      return opened(chats).door.approvals;
    },
    get history() {
      return opened(chats).door.history;
    },
    states: (chatIds, caller) => opened(chats).door.states(chatIds, caller),
  };
  const served = await serveWorker({ door, address, listen, identity, ranges, onError: reporting.onError });
  try {
    const hosting = { sweepMs, ...options.hosting };
    const claims = createClaims({ ...stores, clock: systemClock, place, leftAfterMs: options.hosting?.sweepMs });
    chats = joinChats({ ...options, hosting, stores, address: served.address, claims }, reporting);
    // Its leases would end, and its agents would not.
    endAgentsWhenFrozen({ afterMs: Math.max(2000, stores.leaseMs * 0.4) });
    await chats.host.recover();
  } catch (error) {
    await Promise.all([served.close(), chats?.close()]);
    throw error;
  }
  return toWorker({ served, chats, stores, reporting });
}

interface WorkerParts {
  readonly served: ServedWorker;
  readonly chats: JoinedChats;
  readonly stores: DatabaseStores;
  readonly reporting: Reporting;
}

function toWorker({ served, chats, stores, reporting }: WorkerParts): ChatWorker {
  const { host, approvals } = chats;
  const close = async (): Promise<void> => {
    await chats.close();
    await served.close();
    reporting.stop();
    await stores.close();
  };
  return {
    address: served.address,
    host,
    approvals,
    async drain(options) {
      // Gateways still reach what runs.
      await host.drain(options);
      await close();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Before, no gateway has found the address in the lease store. */
function opened(chats: JoinedChats | undefined): JoinedChats {
  if (chats === undefined) throw new Error('The worker is starting.');
  return chats;
}
