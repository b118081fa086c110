export { HookService } from './hook-service.ts';
export { createHooks, isHookSet } from './hook-set.ts';
export type { HookFor, HookOptions, HookSet, RegisteredHook, RegisteredHooks } from './hook-set.ts';
export { hooksFeature } from './hooks-feature.ts';
export { matchingTools } from './matchers.ts';
export type { ToolCall, ToolInput } from './checked-inputs.ts';
export { hooks } from './ready-made.ts';
export type { AuditRecord } from './sinks.ts';
export { wrongWithMatcher } from './wrong-matchers.ts';
