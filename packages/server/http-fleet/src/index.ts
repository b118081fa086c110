export { reachWorkers } from './reach-workers.ts';
export type { ReachedWorkers, ReachWorkersOptions } from './reach-workers.ts';
export { serveWorker } from './serve-worker.ts';
export type { ServedWorker, ServeWorkerOptions } from './serve-worker.ts';
export type { FleetIdentity } from './identity.ts';
export type { GatewayLimits, WorkerLimits } from './limits.ts';
