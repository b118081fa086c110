import type { Approvals } from '@hexagent/approvals';
import { callable, delay, flag, given, having, list, mode, names, oneOf, record, type Checks } from '@hexagent/checks';
import { hostingChecks, type HostingOptions } from '@hexagent/hosting';
import type { ChatHandlerOptions } from '@hexagent/http-chat';
import type { Sdk } from '@hexagent/sdk';
import type { SubagentView } from '@hexagent/ui-stream';
import type { ChatSessionSource } from './chat-agents.ts';
import type { ChatStores, StoreOptions } from './host-stores.ts';
import type { SuggestionScope } from './refused-suggestions.ts';

/** How the agents of chats run. */
export interface ChatAgentOptions extends StoreOptions<ChatStores>, Pick<ChatHandlerOptions, 'permissionModes'> {
  /**
   * How the agent of a chat runs: options of `openSession`, or a function that returns them for a chat. Requests for
   * approval go to the page.
   */
  readonly session?: ChatSessionSource | undefined;
  /** Limits of the host, and what happens to messages that were cut off. */
  readonly hosting?: HostingOptions | undefined;
  /** After how many milliseconds an unanswered approval of a kind is denied. Default: never. */
  readonly approvalsExpireAfterMs?: ConstructorParameters<typeof Approvals>[0]['expiresAfterMs'] | undefined;
  /**
   * Whether `@` in a message of a page names a file, a folder or a resource. The agent then reads it without asking anybody,
   * also outside its folder; of the rules, only a deny rule with a path counts. Default: it is a text like any other.
   */
  readonly fileMentions?: boolean | undefined;
  /**
   * Which suggestions of an approval a page may choose: those that end with the `session`, the default, or `all`, also those
   * that the agent writes to a settings file.
   */
  readonly suggestions?: SuggestionScope | undefined;
  /** How a page sees subagents. Default: their calls as parts like any other. */
  readonly subagents?: SubagentView | undefined;
  /** An SDK of parts of your choice. */
  readonly sdk?: Pick<Sdk, 'openSession'> | undefined;
  /** Receives the errors behind a request or in an agent. Default: a warning of the process. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Who may reach chats, and what they may ask for. */
export interface ChatPageOptions extends Omit<ChatHandlerOptions, 'sessions' | 'approvals' | 'history' | 'onError'> {
  /** Receives the errors behind a request or in an agent. Default: a warning of the process. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

export const agentChecks: Checks<ChatAgentOptions> = {
  approvalsExpireAfterMs: given(),
  fileMentions: flag,
  folder: given(),
  hosting: record(hostingChecks),
  onError: callable(),
  permissionModes: list(mode),
  postgres: given(),
  sdk: having('openSession'),
  session: given(),
  stores: given(),
  subagents: oneOf('flat', 'nested', 'drop'),
  suggestions: oneOf('session', 'all'),
};

export const pageChecks: Checks<ChatPageOptions> = {
  basePath: given(),
  commands: names,
  hosts: given(),
  identify: given(),
  limits: given(),
  models: names,
  onError: callable(),
  origins: given(),
  permissionModes: list(mode),
  stopUnreadAfterMs: delay,
  token: given(),
};
