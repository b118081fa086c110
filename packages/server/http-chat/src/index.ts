export { createChatHandler } from './create-chat-handler.ts';
export type { ChatHandler, ChatHandlerOptions } from './create-chat-handler.ts';
export type { AccessOptions, RequestFacts } from './access.ts';
export type { ChatLimits } from './limits.ts';
export type { RefusalCode } from './refusal.ts';
export { toNodeListener } from './to-node-listener.ts';
export type { NodeListenerOptions } from './to-node-listener.ts';
