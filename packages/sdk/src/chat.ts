export { createChat, type Chat, type ChatOptions } from './chat/create-chat.ts';
export {
  createSessionHost,
  type HostedSessionIdentity,
  type HostedSessionOptions,
  type HostedSessionSource,
  type SessionHostSetup,
} from './chat/create-session-host.ts';
export type { ChatStores, HostStores, StoreOptions } from './chat/host-stores.ts';
export type { ChatIdentity, ChatSessionOptions, ChatSessionSource } from './chat/chat-agents.ts';
export { toNodeListener } from '@hexagent/http-chat';
