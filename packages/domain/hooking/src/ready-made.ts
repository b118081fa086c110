export { allow, deny } from './fixed-answers.ts';
export { modify, validate } from './checked-inputs.ts';
export type { ToolCall, ToolInput } from './checked-inputs.ts';
export { audit, log } from './sinks.ts';
export type { AuditRecord } from './sinks.ts';
export { onlyTools, withoutTools } from './tool-lists.ts';
