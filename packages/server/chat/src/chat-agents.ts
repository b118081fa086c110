import path from 'node:path';
import type { Approvals } from '@hexagent/approvals';
import type { AgentOpener, AgentRequest, ChatSendOptions, HostedAgent, TranscriptsOf } from '@hexagent/ports';
import type { Sdk, Session, SessionOptions, StoredSessionsOptions } from '@hexagent/sdk';
import { chatIdOf } from './chat-keys.ts';
import { checkedOptions, checkSource, decidedByChat } from './check-source.ts';
import { unlessAborted } from './unless-aborted.ts';

/** The program's options for the agents of its chats: options of `openSession`, apart from those that a chat decides. */
export type ChatSessionOptions = Omit<
  SessionOptions,
  'resume' | 'sessionId' | 'continue' | 'fork' | 'persist' | 'signal' | 'partialMessages' | 'onAsk' | 'dialogKinds'
>;

/** Which chat an agent is for. */
export interface ChatIdentity {
  readonly id: string;
  readonly tenant: string | undefined;
  /** The name of the chat in the host and its stores: no chat of another tenant has it. */
  readonly session: string;
  /**
   * Of the lease under which the agent is opened; see `AgentRequest`. `undefined` where options are needed to find what is stored of
   * the chat, for its title and its history.
   */
  readonly fence: number | undefined;
}

export type ChatSessionSource =
  | ChatSessionOptions
  | ((chat: ChatIdentity) => ChatSessionOptions | Promise<ChatSessionOptions>);

interface ChatAgentsOptions {
  readonly sdk: Pick<Sdk, 'openSession'>;
  readonly session: ChatSessionSource;
  readonly approvals: Approvals;
  /** Keeps transcripts, where the program names no store for them. */
  readonly transcriptsOf?: TranscriptsOf | undefined;
}

/** Opens the agents of chats, and sets what a page may choose. */
export class ChatAgents {
  readonly #options: ChatAgentsOptions;
  readonly #sessions = new Map<string, Session>();
  /** What pages chose last, for the agents that are opened from now on. */
  readonly #chosen = new Map<string, Pick<ChatSendOptions, 'model' | 'permissionMode'>>();

  /** @throws {TypeError} for an invalid `session`. */
  constructor(options: ChatAgentsOptions) {
    checkSource(options.session, decidedByChat);
    this.#options = options;
  }

  readonly open: AgentOpener = async (request: AgentRequest): Promise<HostedAgent> => {
    const { sdk, approvals } = this.#options;
    const { session: key, tenant, fence } = request;
    const { signal } = request.options;
    const { permissions, model, ...options } = await unlessAborted(this.optionsOf(key, { tenant, fence }), signal);
    const chosen = this.#chosen.get(key) ?? {};
    const session = await sdk.openSession({
      ...options,
      ...request.options,
      model: chosen.model ?? model,
      partialMessages: true,
      onAsk: approvals.for(key, fence),
      permissions: {
        ...permissions,
        ...(chosen.permissionMode !== undefined && { cliMode: chosen.permissionMode }),
      },
    });
    this.#sessions.set(key, session);
    const forget = (): void => {
      if (this.#sessions.get(key) === session) this.#sessions.delete(key);
    };
    session.exited.then(forget, forget);
    return session;
  };

  /** The program's options for a chat. */
  async optionsOf(key: string, { tenant, fence }: Pick<ChatIdentity, 'tenant' | 'fence'>): Promise<ChatSessionOptions> {
    const { session } = this.#options;
    const identity = { id: chatIdOf(key), tenant, session: key, fence };
    const found = typeof session === 'function' ? await session(identity) : session;
    const options = checkedOptions(found, decidedByChat);
    return { ...options, store: options.store ?? this.#options.transcriptsOf?.({ session: key, fence }) };
  }

  /** Where the agent of a chat stores its transcripts, and where it works. */
  async placesOf(key: string, tenant: string | undefined): Promise<{ stored: StoredSessionsOptions; dir: string }> {
    const options = await this.optionsOf(key, { tenant, fence: undefined });
    const dir = path.resolve(options.cwd ?? '.');
    if (options.store !== undefined) return { stored: { store: options.store }, dir };
    const folder = variableOf(options, 'HOME') ?? variableOf(options, 'USERPROFILE');
    const named = variableOf(options, 'CLAUDE_CONFIG_DIR');
    const configDir = named || (folder === undefined ? undefined : path.join(folder, '.claude'));
    return { stored: { configDir }, dir };
  }

  /** Sets what a page chose: from the next request to the model on. */
  async apply(key: string, { model, permissionMode }: ChatSendOptions): Promise<void> {
    const chosen = { ...this.#chosen.get(key), ...(model && { model }), ...(permissionMode && { permissionMode }) };
    if (Object.keys(chosen).length > 0) this.#chosen.set(key, chosen);
    const session = this.#sessions.get(key);
    if (model !== undefined) await session?.setModel(model);
    if (permissionMode !== undefined) await session?.setPermissionMode(permissionMode);
  }

  forget(key: string): void {
    this.#chosen.delete(key);
  }
}

/** A variable as the agent has it. Every policy but `exact` lets these through. */
function variableOf({ env: { policy, set = {} } = {} }: ChatSessionOptions, name: string): string | undefined {
  if (Object.hasOwn(set, name)) return set[name];
  return policy === 'exact' ? undefined : process.env[name];
}
