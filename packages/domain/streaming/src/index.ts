export { ConversationService } from './conversation-service.ts';
export type { ConversationServiceParts } from './conversation-service.ts';
export { hintOf } from './hints.ts';
export { mayCloseInput } from './may-close-input.ts';
export type { InputState } from './may-close-input.ts';
export { mayPause } from './may-pause.ts';
export type { ReadingDecision, ReadingState } from './may-pause.ts';
