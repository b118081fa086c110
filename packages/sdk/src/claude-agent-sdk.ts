export { AbortError } from '@hexagent/ports';
export { resolveSettings } from './resolve-settings.ts';
export { createQuery, prewarm, query, startup } from './create-query.ts';
export { InMemorySessionStore } from './in-memory-session-store.ts';
export { foldSessionSummary } from '@hexagent/transcripts';
export {
  archiveSession,
  deleteSession,
  forkSession,
  getSessionInfo,
  getSessionMessages,
  getSubagentMessages,
  importSessionToStore,
  listSessions,
  listSubagents,
  renameSession,
  tagSession,
  unarchiveSession,
} from './session-functions.ts';
export * from '@hexagent/official-api/official';
export { createSdkMcpServer, tool } from '@hexagent/mcp-sdk-server';
export type { AnyZodRawShape, InferShape, SdkMcpToolDefinition } from '@hexagent/mcp-sdk-server';
