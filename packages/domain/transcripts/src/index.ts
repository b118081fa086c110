export { InMemorySessionStore } from './in-memory-session-store.ts';
export { foldSessionSummary } from './fold-session-summary.ts';
export { headOf } from './head-of.ts';
export { transcriptOf } from './transcript-of.ts';
