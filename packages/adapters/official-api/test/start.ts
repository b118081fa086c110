import type { InitializeFields, LaunchOptions, RequestHandlers, SessionFeature, Warning } from '@hexagent/ports';
import { microtasks } from '@hexagent/testing';
import {
  createQuery,
  type AgentChoice,
  type QueryCallbacks,
  type QueryParts,
  type RestoredSession,
  type RestoreRequest,
  type StoreChoice,
} from '../src/index.ts';
import type { Options, OwnOptions, Query, SDKUserMessage } from '../src/official.ts';
import type { HostedConfigs, InProcessServers } from '../src/query-parts.ts';
import { PlayedConversations, type PlayedConversation } from './played-conversations.ts';

/** What the parts behind `query()` were given. */
export interface Seen {
  launch?: LaunchOptions;
  agent?: AgentChoice;
  callbacks?: QueryCallbacks;
  servers?: InProcessServers;
  warnings?: Warning[];
  mirror?: StoreChoice;
  restoring?: RestoreRequest;
}

/** The composition root makes a feature of each callback; here one is enough. */
const handlersOf = ({ canUseTool }: QueryCallbacks): RequestHandlers | undefined =>
  canUseTool && { can_use_tool: () => Promise.resolve(null) };

export interface Started {
  readonly query: Query;
  readonly conversation: PlayedConversation;
  readonly conversations: PlayedConversations;
  readonly seen: Seen;
}

/** Starts a query over conversations whose agent the test plays. */
export function start(
  prompt: string | AsyncIterable<SDKUserMessage> = 'Hello',
  options: Options & OwnOptions = {},
  conversations: PlayedConversations = new PlayedConversations(),
  initialize: InitializeFields = {},
  restored?: (request: RestoreRequest) => Promise<RestoredSession | undefined>,
): Started {
  const seen: Seen = {};
  const query = createQuery(partsOver(conversations, seen, initialize, restored));
  return { query: query({ prompt, options }), conversation: conversations.conversation, conversations, seen };
}

/** What a query stands on, over conversations whose agent the test plays. */
export function partsOver(
  conversations: PlayedConversations,
  seen: Seen = {},
  initialize: InitializeFields = {},
  restored?: (request: RestoreRequest) => Promise<RestoredSession | undefined>,
): QueryParts {
  return {
    conversations: (agent) => {
      seen.agent = agent;
      return conversations;
    },
    launcher: (launch) => {
      seen.launch = launch;
      return { args: [], env: {}, initialize };
    },
    features: (callbacks) => {
      seen.callbacks = callbacks;
      return [{ name: 'test', launch: { asksPermission: true }, handlers: handlersOf(callbacks) }];
    },
    host: (servers) => {
      seen.servers = servers;
      return {
        feature: noServers,
        names: () => Object.keys(servers),
        change: (changed, announce) => announce(announced(changed)),
      };
    },
    mirror: async (choice) => {
      seen.mirror = choice;
      return { name: 'mirror' };
    },
    restore: async (request) => {
      seen.restoring = request;
      return await restored?.(request);
    },
    environment: () => ({ PATH: '/bin' }),
    debugFile: () => undefined,
    warn: (warning) => (seen.warnings ??= []).push(warning),
  };
}

export const noServers: SessionFeature = { name: 'no servers' };

const announced = (servers: InProcessServers): HostedConfigs =>
  Object.fromEntries(Object.keys(servers).map((name) => [name, { type: 'sdk', name }]));

/** The shortest message that reads as a result. */
export function result(fields: object = {}): object {
  return { type: 'result', subtype: 'success', is_error: false, result: 'Done.', ...fields };
}

export function userMessage(text: string, fields: Partial<SDKUserMessage> = {}): SDKUserMessage {
  return { type: 'user', message: { role: 'user', content: text }, parent_tool_use_id: null, ...fields };
}

/** Lets everything that is already settled be seen. Not a wait: no timer is involved. */
export async function settle(): Promise<void> {
  await microtasks(200);
}

export async function collect<T>(messages: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const message of messages) collected.push(message);
  return collected;
}

/** What a method of a query rejects with after its end. */
export const closed = { code: 'CONVERSATION_CLOSED', message: 'Query closed before response received' };
