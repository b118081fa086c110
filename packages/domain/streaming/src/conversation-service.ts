import {
  AbortError,
  checkBytes,
  checkDelay,
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
  type Launch,
  type McpServer,
  type Observer,
  type ProtocolOptions,
  type Transport,
  type WarningListener,
} from '@hexagent/ports';
import { notify } from '@hexagent/async';
import { abortedBefore, closeQuietly, connectOrGiveUp, listen } from './connecting.ts';
import { checkBlockingHooks, mustBlock } from './blocking-hooks.ts';
import type { ConversationParts } from './conversation-parts.ts';
import { LiveConversation } from './live-conversation.ts';
import { warnIfNotEnded } from './exit-error.ts';
import { reportTo } from './report.ts';
import { ServerFailures } from './server-failures.ts';
import { ServerSessions } from './server-sessions.ts';

export interface ConversationServiceParts {
  readonly transport: Transport;
  readonly protocol: AgentProtocol;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer?: Observer | undefined;
  /** Warned of parts of the program that fail. */
  readonly warn?: WarningListener | undefined;
}

/** Opens conversations: connects, registers the program's callbacks with the agent, and makes a {@link LiveConversation}. */
export class ConversationService implements Conversations {
  readonly #parts: ConversationServiceParts;

  constructor(parts: ConversationServiceParts) {
    this.#parts = parts;
  }

  async open(options: ConversationOptions): Promise<Conversation> {
    const { signal, launch } = options;
    checkBefore(options);
    let channel: Channel;
    const { protocol, clock, warn } = this.#parts;
    const id = this.#parts.ids.uuid();
    const report = reportTo(this.#parts.observer, warn, id);
    const failures = new ServerFailures({ report, warn });
    const servers = new ServerSessions({
      failures,
      servers: options.servers ?? [],
      clock,
      send: (server_name, message) => channel.request('mcp_message', { server_name, message }),
    });
    const answers = answersOf(options, servers);
    const introduction = introductionOf(options);
    const connection = await this.#connect(launch, signal);
    let stopListening = (): void => {};
    const parts: ConversationParts = {
      ...this.#parts,
      ...{ id, report, options, failures },
      callbacks: Object.keys(answers).length > 0,
      openChannel: (handlers) => {
        const host = { ...answers, ...handlers };
        channel = protocol.open(connection, { ...introduction, conversation: id, host });
        return channel;
      },
      cleanUp: () => {
        notify(stopListening); // The signal is the program's own, and may throw.
        return servers.close();
      },
    };
    const conversation = await orClose(connection, clock, () => new LiveConversation(parts));
    stopListening = listen(signal, (cause) =>
      conversation.fail(new AbortError('The conversation was aborted.', { cause })),
    );
    giveUpIfUnready(conversation, answers);
    void conversation.exited.then((exit) => warnIfNotEnded(exit, warn));
    return conversation;
  }

  async #connect(launch: Launch, signal: AbortSignal | undefined): Promise<Connection> {
    const connection = await connectOrGiveUp(this.#parts, launch, signal);
    if (!signal?.aborted) return connection;
    await closeQuietly(connection, this.#parts.clock);
    throw abortedBefore(signal);
  }
}

/** Called before anything is started: a wrong mark would pause the agent for ever, a wrong delay would end at once. */
function checkBefore({ softMarkBytes, hardMarkBytes, initializeTimeoutMs, signal }: ConversationOptions): void {
  checkBytes('softMarkBytes', softMarkBytes);
  checkBytes('hardMarkBytes', hardMarkBytes);
  checkDelay('initializeTimeoutMs', initializeTimeoutMs);
  if (signal?.aborted) throw abortedBefore(signal);
}

/** Closes the connection when the conversation cannot be made, so that no agent is left behind. */
async function orClose<T>(connection: Connection, clock: Clock, make: () => T): Promise<T> {
  try {
    return make();
  } catch (error) {
    await closeQuietly(connection, clock);
    throw error;
  }
}

/** Where a hook must block when it fails, nothing is sent before the agent has said that it will. */
function introductionOf(options: ConversationOptions): Omit<ProtocolOptions, 'host' | 'conversation'> {
  const { launch, hooks, initializeTimeoutMs } = options;
  const blocks = mustBlock(hooks?.registration());
  return {
    initialize: introduce(options),
    initializeTimeoutMs,
    awaitInitialize: launch.awaitInitialize === true || blocks,
    checkInitialize: blocks ? checkBlockingHooks : undefined,
  };
}

/** Hooks and in-process servers exist for the agent only if `initialize` names them. */
function introduce({ launch, hooks, servers = [] }: ConversationOptions): InitializeFields {
  const registration = hooks?.registration();
  return {
    ...launch.initialize,
    ...(registration === undefined ? {} : { hooks: registration }),
    ...(servers.length === 0 ? {} : { sdkMcpServers: servers.map(({ name }) => name) }),
    ...settingsOf(servers),
  };
}

/** What the agent holds servers to; without it a tool that must not run is called like any other. */
function settingsOf(servers: readonly McpServer[]): InitializeFields {
  const settings = servers.flatMap(({ name, config }) => (config === undefined ? [] : [[name, config] as const]));
  return settings.length === 0 ? {} : { sdkMcpServerConfigs: Object.fromEntries(settings) };
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

/** Ends a conversation that would go on without what `initialize` was to set up, or wait for ever. */
function giveUpIfUnready(conversation: LiveConversation, answers: Answers): void {
  // These exist for the agent only once it has taken them: without hooks there would run what they are to prevent.
  const mustBeTaken = 'hook' in answers || 'mcp' in answers;
  conversation.ready.catch((error: unknown) => {
    if (!SdkError.is(error)) return;
    const isRefused = error.code === 'INITIALIZE_FAILED';
    const isLate = error.code === 'INITIALIZE_TIMEOUT';
    // An agent that had said nothing by the deadline never will. One that left before is told by its exit.
    if (mustBeTaken ? isRefused || isLate : isLate && !conversation.hasSpoken) conversation.fail(error);
  });
}
