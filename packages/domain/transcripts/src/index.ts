export { foldSessionSummary } from './fold-session-summary.ts';
export { InMemorySessionStore } from './in-memory-session-store.ts';
export { storedSession } from './session-outline.ts';
export { StoredSessionService } from './stored-session-service.ts';
export type { StoredSessionParts } from './stored-session-service.ts';
export { transcriptOf } from './transcript-of.ts';
export { mirrorFeature, type MirrorFeatureOptions } from './mirror-feature.ts';
export { restoreSession, type RestoredSession, type RestoreOptions } from './restoring.ts';
