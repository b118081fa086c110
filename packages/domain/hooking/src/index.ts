export { HookService } from './hook-service.ts';
export { createHooks, isHookSet } from './hook-set.ts';
export type { HookFor, HookOptions, HookSet, RegisteredHook, RegisteredHooks } from './hook-set.ts';
export { hooksFeature } from './hooks-feature.ts';
export { matchingTools } from './matchers.ts';
export * as hooks from './ready-made.ts';
export type { AuditRecord, ToolCall, ToolInput } from './ready-made.ts';
export { wrongWithMatcher } from './wrong-matchers.ts';
