/*
 * Names of the official package that need no other part. Each of these files has nothing else, and the door of the drop-in has all of
 * them, so what is not an official name is in another file. `scripts/test/doors.test.ts` holds the names to the official ones.
 */
export { AbortError } from '@hexagent/ports';
export * from './constants.ts';
export { matchDeniedModels } from './denied-models.ts';
export { filterEscalatingDefaultMode } from './escalating-mode.ts';
export * from './without-types.ts';
export type * from './types/common.ts';
export type * from './types/control.ts';
export type * from './types/hooks.ts';
export type * from './types/interaction.ts';
export type * from './types/mcp.ts';
export type * from './types/messages.ts';
export type * from './types/options.ts';
export type * from './types/permissions.ts';
export type * from './types/prewarm.ts';
export type * from './types/process.ts';
export type * from './types/query.ts';
export type * from './types/resolved-settings.ts';
export type * from './types/sandbox.ts';
export type * from './types/settings.ts';
export type * from './types/stored-sessions.ts';
export type * from './types/transport.ts';
