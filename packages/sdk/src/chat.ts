export { createChat, type Chat, type ChatOptions } from './chat/create-chat.ts';
export type { ChatStores } from './chat/chat-stores.ts';
export type { ChatIdentity, ChatSessionOptions, ChatSessionSource } from './chat/chat-agents.ts';
export { toNodeListener } from '@hexagent/http-chat';
