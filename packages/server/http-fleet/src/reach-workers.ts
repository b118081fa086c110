import { given, record } from '@hexagent/checks';
import type { ChatDoor, Worker } from '@hexagent/ports';
import { pacedAgent } from './connecting.ts';
import { toTls, type FleetIdentity } from './identity.ts';
import { toGatewayLimits, type GatewayLimits } from './limits.ts';
import { Places } from './places.ts';
import { remoteDoor } from './remote-door.ts';
import { WorkerCalls } from './worker-calls.ts';

export interface ReachWorkersOptions {
  readonly identity: FleetIdentity;
  /** The addresses at which workers are called, such as `10.0.0.0/8`. Default: those of this machine. */
  readonly ranges?: readonly string[] | undefined;
  readonly limits?: Partial<GatewayLimits> | undefined;
}

export interface ReachedWorkers {
  /**
   * The chats of a worker. Nothing is sent before a call. A call without an answer, or with one that this version does not know, rejects with
   * `WORKER_UNREACHABLE`; so does each call where the address is not within the ranges. It may then have been made or not, and may be
   * made again.
   */
  reach(worker: Worker): ChatDoor;
  /** Ends all calls and streams, with `HOST_CLOSED`, and closes all connections. */
  close(): void;
}

/**
 * Calls the workers of the fleet from another process.
 * @throws {TypeError} for options that make no sense.
 */
export function reachWorkers(options: ReachWorkersOptions): ReachedWorkers {
  const { identity, ranges, limits } = optionsCheck(options, '');
  const places = new Places(ranges);
  const checked = toGatewayLimits(limits);
  const agent = pacedAgent(
    {
      ...toTls(identity).client,
      keepAlive: true,
      keepAliveMsecs: 10_000,
      maxFreeSockets: 16, // of each worker; those of one that has gone close by themselves
      timeout: 20_000, // sooner than the worker closes it
      maxCachedSessions: 0,
    },
    checked.connectMs,
  );
  const calls = new WorkerCalls({ agent, places, limits: checked });
  return {
    reach: (worker) => remoteDoor((name, taken, read) => calls.make(worker, { name, taken, read })),
    close: () => calls.close(),
  };
}

const optionsCheck = record<ReachWorkersOptions>(
  { identity: given(), ranges: given(), limits: given() },
  { required: ['identity'], called: 'the options of reachWorkers()' },
);
