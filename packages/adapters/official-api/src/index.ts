export type { AgentChoice, QueryCallbacks, QueryParts, QueryServers } from './query-parts.ts';
export { createQuery, type QueryFunction } from './query.ts';
export { createPrewarm, type PrewarmFunction } from './spare-process.ts';
export { createStartup, type StartupFunction } from './warm-query.ts';
export { createSessionFunctions } from './stored-sessions.ts';
export type { ImportRequest, SessionFunctionParts, SessionFunctions } from './stored-sessions.ts';
export type { StoreChoice } from './store-choice.ts';
export { startWithStore, type RestoredSession, type RestoreRequest, type StoreParts } from './store-start.ts';
