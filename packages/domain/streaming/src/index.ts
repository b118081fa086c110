export { ConversationService } from './conversation-service.ts';
export type { ConversationServiceParts } from './conversation-service.ts';
export { hintOf } from './hints.ts';
export { CacheWatch } from './spending/cache-watch.ts';
export { BudgetWatch } from './spending/budget-watch.ts';
export { StallWatch } from './stall-watch.ts';
