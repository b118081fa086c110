export { ConversationService } from './conversation-service.ts';
export type { ConversationServiceParts } from './conversation-service.ts';
export { hintOf } from './hints.ts';
export { mayCloseInput } from './may-close-input.ts';
export type { InputState } from './may-close-input.ts';
export { decideReading } from './decide-reading.ts';
export type { ReadingDecision, ReadingState } from './decide-reading.ts';
