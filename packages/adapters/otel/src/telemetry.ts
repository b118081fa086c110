import {
  context,
  metrics,
  ProxyTracerProvider,
  SpanKind,
  trace,
  type Context,
  type TracerProvider,
} from '@opentelemetry/api';
import type {
  Conversation,
  ConversationOptions,
  Conversations,
  Launch,
  ObservedEvent,
  Observer,
} from '@hexagent/ports';
import { exportsSpans, providerOf, withParent } from './agent-environment.ts';
import { ConversationTrace } from './conversation-trace.ts';
import { endingBy, endSpan } from './ending.ts';
import { Instruments } from './instruments.ts';
import type { Kit } from './kit.ts';
import { genAi } from './names.ts';
import { now } from './now.ts';
import { overriding } from './overriding.ts';
import type { TelemetryOptions } from './options.ts';
import { tracedFeature, type CallbackTrace } from './traced-feature.ts';

const scope = '@hexagent/otel';

/** Spans of no trace but their parent's: for an agent that makes its own. */
const withoutSpans: TracerProvider = new ProxyTracerProvider();

/** Traces conversations: an observer of what happens in them, around what opens them. */
export class Telemetry implements Observer {
  readonly #options: TelemetryOptions;
  readonly #traces = new Map<string, ConversationTrace>();
  #instruments: Instruments | undefined;

  constructor(options: TelemetryOptions) {
    this.#options = options;
  }

  observe(event: ObservedEvent): void {
    this.#traces.get(event.conversation)?.observe(event);
  }

  /** What opens conversations, each with its trace. */
  around(inner: Conversations): Conversations {
    return { open: (options) => this.#open(inner, options) };
  }

  async #open(inner: Conversations, { launch, features = [], ...options }: ConversationOptions): Promise<Conversation> {
    const [openedIn, at] = [context.active(), now()];
    const kit = this.#kitFor(launch);
    let opened: ConversationTrace | undefined;
    // Nothing runs and no call exists before the conversation is open.
    const callbacks: CallbackTrace = {
      contextFor: (call) => opened?.contextFor(call) ?? openedIn,
      askedPerson: (id) => opened?.askedPerson(id),
    };
    try {
      const conversation = await inner.open({
        ...options,
        launch: withParent(launch, openedIn),
        features: features.map((feature) => tracedFeature(feature, callbacks)),
      });
      opened = this.#trace(conversation, new ConversationTrace(kit, openedIn));
      return traced(conversation, opened);
    } catch (error) {
      noteFailedStart(kit, { error, parent: openedIn, at });
      throw error;
    }
  }

  #trace(conversation: Conversation, opened: ConversationTrace): ConversationTrace {
    if (this.#traces.size === 0) process.on('exit', this.#endAll);
    this.#traces.set(conversation.id, opened);
    void conversation.exited.then(() => {
      opened.end({ error: 'agent_exited' });
      this.#traces.delete(conversation.id);
      if (this.#traces.size === 0) process.off('exit', this.#endAll);
    });
    return opened;
  }

  /** The process ends, and its agents with it. An exporter that works at once still gets these spans. */
  readonly #endAll = (): void => {
    for (const open of this.#traces.values()) open.end({ error: 'process_exited' });
  };

  #kitFor({ env }: Launch): Kit {
    const { agentName = 'claude-code', agentSpans = exportsSpans(env), content = isContentWanted() } = this.#options;
    const { tracerProvider = trace.getTracerProvider(), meterProvider = metrics.getMeterProvider() } = this.#options;
    this.#instruments ??= new Instruments(meterProvider.getMeter(scope));
    return {
      tracer: (agentSpans ? withoutSpans : tracerProvider).getTracer(scope),
      instruments: this.#instruments,
      capturesContent: content,
      provider: providerOf(env),
      agentName,
      agent: {},
    };
  }
}

/** Each message has the context in which it is sent as its parent, wherever its turn is read. */
function traced(conversation: Conversation, opened: ConversationTrace): Conversation {
  return overriding(conversation, {
    send: (input) => {
      const [parent, at] = [context.active(), now()];
      const turn = conversation.send(input);
      opened.sent(turn.id, { parent, at, input });
      return turn;
    },
  });
}

/** An agent that was not started has no turn; what it was to do failed. */
function noteFailedStart(
  { tracer, agentName, provider }: Kit,
  { error, parent, at }: { readonly error: unknown; readonly parent: Context; readonly at: number },
): void {
  const attributes = { [genAi.operation]: 'invoke_agent', [genAi.agentName]: agentName, [genAi.provider]: provider };
  const span = tracer.startSpan(
    `invoke_agent ${agentName}`,
    { kind: SpanKind.INTERNAL, startTime: at, attributes },
    parent,
  );
  endSpan(span, endingBy(error), now());
}

function isContentWanted(): boolean {
  return process.env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT']?.toLowerCase() === 'true';
}
