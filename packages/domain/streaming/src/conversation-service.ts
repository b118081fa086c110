import {
  AbortError,
  SdkError,
  type AgentMessage,
  type AgentProtocol,
  type Channel,
  type Clock,
  type Connection,
  type Conversation,
  type ConversationOptions,
  type Conversations,
  type FeatureControl,
  type Ids,
  type Launch,
  type Observer,
  type Transport,
  type WarningListener,
} from '@hexagent/ports';
import { notify, onAbort, settledWithin } from '@hexagent/async';
import { checkBytes, checkDelay } from '@hexagent/checks';
import { abortedBefore, closeQuietly, connectOrGiveUp } from './connecting.ts';
import { settingsOf, type ConversationParts, type Settings } from './conversation-parts.ts';
import { FeatureSet } from './feature-set.ts';
import { ListenedHost, type ChannelHost } from './listened-host.ts';
import { LiveConversation } from './live-conversation.ts';
import { warnIfNotEnded } from './exit-error.ts';
import { reportTo, type Report } from './report.ts';

/** How long features may take to close. A feature that runs a program needs some seconds to end it. */
const closingMs = 5000;

export interface ConversationServiceParts {
  readonly transport: Transport;
  readonly protocol: AgentProtocol;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly observer?: Observer | undefined;
  /** Warned of parts of the program that fail. */
  readonly warn?: WarningListener | undefined;
}

interface Opening {
  readonly id: string;
  readonly settings: Settings;
  readonly features: FeatureSet;
}

/** Opens conversations: connects, sets the features up, and makes a {@link LiveConversation}. */
export class ConversationService implements Conversations {
  readonly #parts: ConversationServiceParts;

  constructor(parts: ConversationServiceParts) {
    this.#parts = parts;
  }

  async open(options: ConversationOptions): Promise<Conversation> {
    const features = new FeatureSet(options.features ?? []);
    try {
      checkOptions(options);
      return await this.#start(options, features);
    } catch (error) {
      await this.#close(features);
      throw error;
    }
  }

  async #start(options: ConversationOptions, features: FeatureSet): Promise<Conversation> {
    const id = this.#parts.ids.uuid();
    const connection = await this.#connect(options.launch, options.signal);
    return await this.#converse(connection, { id, settings: settingsOf(options), features });
  }

  async #converse(connection: Connection, { id, settings, features }: Opening): Promise<Conversation> {
    const { clock, ids, observer, warn } = this.#parts;
    const report = reportTo(observer, warn, id);
    let stopListening = (): void => {};
    const parts: ConversationParts = {
      id,
      clock,
      ids,
      report,
      features,
      settings,
      openChannel: (host) => {
        const channel = this.#openChannel(connection, host, { id, settings, features });
        const { append, failTurn, suspend, isBehind } = host;
        const deliver = (message: AgentMessage): void => deliverTo(host, message);
        features.attach({ ...controlOver(channel, report, warn), append, deliver, failTurn, suspend, isBehind });
        return channel;
      },
      cleanUp: () => {
        notify(stopListening); // The signal is the program's own, and may throw.
        return this.#close(features);
      },
    };
    const conversation = await orClose(connection, clock, () => new LiveConversation(parts));
    stopListening = onAbort(settings.signal, (cause) =>
      conversation.fail(new AbortError('The conversation was aborted.', { cause })),
    );
    giveUpIfUnready(conversation, features);
    void conversation.exited.then((exit) => warnIfNotEnded(exit, warn));
    return conversation;
  }

  #openChannel(connection: Connection, host: ChannelHost, { id, settings, features }: Opening): Channel {
    const { handlers, untypedHandlers, listeners, checkInitialize } = features;
    const { protocol, clock, warn } = this.#parts;
    const { hold, message, activity, broken, exited } = host;
    // Without listeners nothing stands between the protocol and the conversation.
    const listened =
      listeners.length > 0 ? new ListenedHost({ listeners, host, hold, clock, warn }).delivery : undefined;
    return protocol.open(connection, {
      conversation: id,
      initialize: features.initialize(settings.initialize),
      initializeTimeoutMs: settings.initializeTimeoutMs,
      // With a check, nothing is sent before the agent's answer has passed it.
      awaitInitialize: checkInitialize !== undefined,
      checkInitialize,
      host: {
        ...handlers,
        untypedHandlers,
        activity,
        ...(listened && { mirror: listened.mirror }),
        message: listened?.message ?? message,
        broken: listened?.broken ?? broken,
        exited: listened?.exited ?? exited,
      },
    });
  }

  async #close(features: FeatureSet): Promise<void> {
    await settledWithin(closingMs, features.close(), this.#parts.clock);
  }

  async #connect(launch: Launch, signal: AbortSignal | undefined): Promise<Connection> {
    const connection = await connectOrGiveUp(this.#parts, launch, signal);
    if (!signal?.aborted) return connection;
    await closeQuietly(connection, this.#parts.clock);
    throw abortedBefore(signal);
  }
}

/** Called before anything is started: a wrong mark would pause the agent for ever, a wrong delay would end at once. */
function checkOptions({ softMarkBytes, hardMarkBytes, initializeTimeoutMs, signal }: ConversationOptions): void {
  checkBytes('softMarkBytes', softMarkBytes);
  checkBytes('hardMarkBytes', hardMarkBytes);
  checkDelay('initializeTimeoutMs', initializeTimeoutMs);
  if (signal?.aborted) throw abortedBefore(signal);
}

/** How features reach the agent, the observer and the author of the program. */
function controlOver(
  channel: Channel,
  report: Report | undefined,
  warn: WarningListener | undefined,
): Omit<FeatureControl, 'append' | 'deliver' | 'failTurn' | 'suspend' | 'isBehind'> {
  return {
    request: (subtype, ...rest) => channel.request(subtype, ...rest),
    requestUntyped: (...request) => channel.requestUntyped(...request),
    observe: (fact) => report?.(fact),
    warn: (warning) => notify(() => warn?.(warning)),
  };
}

/** Past the listeners: a feature need not receive what one of them made. */
function deliverTo(host: ChannelHost, message: AgentMessage): void {
  notify(() => {
    const line = JSON.stringify(message);
    host.message(message, line.length, line);
  });
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

/** Ends a conversation that would continue without what `initialize` was to set up, or wait for ever. */
function giveUpIfUnready(conversation: LiveConversation, { mustBeTaken }: FeatureSet): void {
  conversation.ready.catch((error: unknown) => {
    if (!SdkError.is(error)) return;
    const isRefused = error.code === 'INITIALIZE_FAILED';
    const isLate = error.code === 'INITIALIZE_TIMEOUT';
    // An agent that has sent no message by the deadline never will. One that left before is reported by its exit.
    if (mustBeTaken ? isRefused || isLate : isLate && !conversation.hasSentMessages) conversation.fail(error);
  });
}
