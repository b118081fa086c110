import {
  AbortError,
  SdkError,
  type AgentProtocol,
  type Channel,
  type Clock,
  type Connection,
  type Conversation,
  type ConversationOptions,
  type Conversations,
  type Host,
  type Ids,
  type InitializeFields,
  type Observer,
  type Transport,
} from '@hexagent/ports';
import { LiveConversation, type ConversationParts } from './live-conversation.ts';
import { ServerSessions } from './server-sessions.ts';

export interface ConversationServiceParts {
  readonly transport: Transport;
  readonly protocol: AgentProtocol;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer?: Observer | undefined;
}

/** Opens conversations: connects, introduces the program's callbacks to the agent, and keeps what follows in order. */
export class ConversationService implements Conversations {
  readonly #parts: ConversationServiceParts;

  constructor(parts: ConversationServiceParts) {
    this.#parts = parts;
  }

  async open(options: ConversationOptions): Promise<Conversation> {
    const { signal, launch } = options;
    if (signal?.aborted)
      throw new AbortError('The conversation was aborted before it began.', { cause: signal.reason });
    let channel: Channel;
    const servers = new ServerSessions(options.servers ?? [], (server_name, message) =>
      channel.request('mcp_message', { server_name, message }),
    );
    const answers = answersOf(options, servers);
    const introduction = { initialize: introduce(options), awaitInitialize: launch.awaitInitialize };
    const { initializeTimeoutMs } = options;
    const connection = await this.#parts.transport.connect(launch, { signal });
    const stopListening = new AbortController();
    const parts: ConversationParts = {
      ...this.#parts,
      options,
      callbacks: Object.keys(answers).length > 0,
      openChannel: (ears) => {
        channel = this.#parts.protocol.open(connection, {
          ...introduction,
          initializeTimeoutMs,
          host: { ...answers, ...ears },
        });
        return channel;
      },
      cleanUp: () => {
        stopListening.abort();
        return servers.close();
      },
    };
    const conversation = await orClose(connection, () => new LiveConversation(parts));
    listen(signal, stopListening.signal, (cause) =>
      conversation.fail(new AbortError('The conversation was aborted.', { cause })),
    );
    // Hooks exist for the agent only once it has taken them: going on without would let run what they are to prevent.
    if ('hook' in answers) conversation.ready.catch((error: unknown) => isRefusal(error) && conversation.fail(error));
    return conversation;
  }
}

/** A conversation that cannot be made leaves no agent behind. */
async function orClose<T>(connection: Connection, make: () => T): Promise<T> {
  try {
    return make();
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** Hooks and in-process servers exist for the agent only if `initialize` names them. */
function introduce({ launch, hooks, servers = [] }: ConversationOptions): InitializeFields {
  const registration = hooks?.registration();
  return {
    ...launch.initialize,
    ...(registration === undefined ? {} : { hooks: registration }),
    ...(servers.length === 0 ? {} : { sdkMcpServers: servers.map(({ name }) => name) }),
  };
}

type Answers = Pick<Host, 'permission' | 'hook' | 'mcp' | 'elicit' | 'dialog'>;

/** Only what the program can answer: a member left out is refused by the protocol, and does not hold the input open. */
function answersOf(
  { permissions, hooks, servers = [], elicitor, dialogs }: ConversationOptions,
  sessions: ServerSessions,
): Answers {
  return {
    ...(permissions && { permission: (request, context) => permissions.decide(request, context) }),
    ...(hooks?.registration() && { hook: (request, context) => hooks.dispatch(request, context) }),
    ...(servers.length > 0 && { mcp: (name, message, context) => sessions.handle(name, message, context) }),
    ...(elicitor && { elicit: (request, context) => elicitor.elicit(request, context) }),
    ...(dialogs && { dialog: (request, context) => dialogs.show(request, context) }),
  };
}

/** Not an agent that left before it answered: that is told by its exit. */
function isRefusal(error: unknown): error is SdkError {
  return SdkError.is(error) && (error.code === 'INITIALIZE_FAILED' || error.code === 'INITIALIZE_TIMEOUT');
}

/** One listener per conversation, gone with it: a signal that outlives a thousand conversations must not collect theirs. */
function listen(signal: AbortSignal | undefined, stop: AbortSignal, aborted: (reason: unknown) => void): void {
  if (signal === undefined) return;
  // It may have aborted while the agent started.
  if (signal.aborted) aborted(signal.reason);
  else signal.addEventListener('abort', () => aborted(signal.reason), { once: true, signal: stop });
}
