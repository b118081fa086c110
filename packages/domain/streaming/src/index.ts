export { ConversationService } from './conversation-service.ts';
export type { ConversationServiceParts } from './conversation-service.ts';
export { hintOf } from './hints.ts';
