export { createChat, type Chat, type ChatOptions } from './create-chat.ts';
export { createGateway, type ChatGateway, type GatewayOptions } from './create-gateway.ts';
export { createWorker, type ChatWorker, type WorkerOptions } from './create-worker.ts';
export {
  createSessionHost,
  type HostedSessionIdentity,
  type HostedSessionOptions,
  type HostedSessionSource,
  type SessionHostSetup,
} from './create-session-host.ts';
export type { ChatStores, HostStores, StoreOptions } from './host-stores.ts';
export type { ChatIdentity, ChatSessionOptions, ChatSessionSource } from './chat-agents.ts';
export { toNodeListener } from '@hexagent/http-chat';
