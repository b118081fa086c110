import { context, trace, type Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, type ReadableSpan, type Span, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { JsonRpcProtocol } from '@hexagent/jsonrpc-protocol';
import { wireParser } from '@hexagent/parser';
import type { Conversation, Launch, Observer, SessionFeature, Transport } from '@hexagent/ports';
import { systemClock } from '@hexagent/processes';
import { ConversationService } from '@hexagent/streaming';
import { CountedIds, linkedTransport, plainLaunch, scriptedAgent, type AgentScript } from '@hexagent/testing';
import { withTelemetry, type TelemetryOptions } from '../src/index.ts';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** Keeps what was started and what has ended: a span that never ends shows as the difference. */
class KeepingProcessor implements SpanProcessor {
  readonly open = new Set<Span>();
  readonly ended: ReadableSpan[] = [];

  onStart(span: Span): void {
    this.open.add(span);
  }

  onEnd(span: ReadableSpan): void {
    // The same object: a span that records is readable.
    this.open.delete(span as Span & ReadableSpan);
    this.ended.push(span);
  }

  forceFlush = async (): Promise<void> => {};
  shutdown = async (): Promise<void> => {};
}

export interface Recorded {
  readonly spans: KeepingProcessor;
  readonly options: TelemetryOptions;
  readonly provider: BasicTracerProvider;
  /** The values of each metric so far, by name, with their attributes. */
  metrics(): Promise<Readonly<Record<string, readonly { readonly attributes: object; readonly value: unknown }[]>>>;
}

/** Providers that keep everything in memory. */
export function recorded(): Recorded {
  const spans = new KeepingProcessor();
  const provider = new BasicTracerProvider({ spanProcessors: [spans] });
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const meterProvider = new MeterProvider({ readers: [reader] });
  return {
    spans,
    provider,
    options: { tracerProvider: provider, meterProvider },
    async metrics() {
      await meterProvider.forceFlush();
      const all =
        exporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics }) => metrics) ?? [];
      return Object.fromEntries(all.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints]));
    },
  };
}

export interface OpenOptions {
  readonly telemetry?: TelemetryOptions | undefined;
  readonly features?: readonly SessionFeature[] | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly observer?: Observer | undefined;
  readonly transport?: Transport | undefined;
  /** The model's answers come in pieces. */
  readonly partial?: boolean | undefined;
}

/** Opens a traced conversation with an agent of a script; `launches` has what each agent was started with. */
export async function open(
  script: AgentScript,
  { options }: Pick<Recorded, 'options'>,
  { telemetry, features = [], env, observer, transport, partial = false }: OpenOptions = {},
): Promise<{ readonly conversation: Conversation; readonly launch: Launch | undefined }> {
  const linked = linkedTransport(scriptedAgent(script));
  const parts = withTelemetry(observer === undefined ? {} : { observer }, { ...options, ...telemetry });
  const ids = new CountedIds();
  const common = { clock: systemClock, ids, observer: parts.observer };
  const service = new ConversationService({
    transport: transport ?? linked.transport,
    protocol: new JsonRpcProtocol({ parser: wireParser, ...common }),
    ...common,
  });
  const conversations = parts.conversations?.(service) ?? service;
  const plain = plainLaunch();
  const isAsked = features.some(({ handlers }) => handlers?.can_use_tool !== undefined);
  const args = [
    ...plain.args,
    ...(isAsked ? ['--permission-prompt-tool', 'stdio'] : []),
    ...(partial ? ['--include-partial-messages'] : []),
  ];
  const conversation = await conversations.open({
    launch: { ...plain, args, env: { ...plain.env, ...env } },
    features,
  });
  return { conversation, launch: linked.agent.launch };
}

/** The names of the spans, each with those of its parents. */
export function paths(spans: readonly ReadableSpan[]): readonly string[] {
  const byId = new Map(spans.map((span) => [span.spanContext().spanId, span]));
  const pathOf = (span: ReadableSpan): string => {
    const parent = byId.get(span.parentSpanContext?.spanId ?? '');
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return spans.map(pathOf).toSorted();
}

export function spanNamed(spans: readonly ReadableSpan[], name: string): ReadableSpan {
  const found = spans.find((span) => span.name === name);
  if (found === undefined)
    throw new Error(`There is no span ${name} among ${spans.map((span) => span.name).join(', ')}.`);
  return found;
}

/** Runs a function within a span of the program. */
export function within<T>({ provider }: Pick<Recorded, 'provider'>, name: string, run: () => T): T {
  const span = provider.getTracer('program').startSpan(name, {}, context.active());
  const inside: Context = trace.setSpan(context.active(), span);
  try {
    return context.with(inside, run);
  } finally {
    span.end();
  }
}
