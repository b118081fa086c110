import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

/** A provider that keeps its spans, for `instrument()` or `withTelemetry()`. */
export interface Tracing {
  readonly provider: BasicTracerProvider;
  readonly spans: readonly ReadableSpan[];
  /** Runs a function within a span of the program, which ends with it. */
  within<T>(name: string, run: () => Promise<T>): Promise<T>;
  /** The names of the spans below that span, indented by how deep they are, in the order of their starts. */
  tree(name: string): readonly string[];
  spanId(name: string): string;
}

export function tracing(): Tracing {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const spanId = (name: string): string =>
    exporter
      .getFinishedSpans()
      .find((span) => span.name === name)
      ?.spanContext().spanId ?? `There is no span ${name}.`;
  const below = (parent: string, indent: string): readonly string[] =>
    exporter
      .getFinishedSpans()
      .filter(({ parentSpanContext }) => parentSpanContext?.spanId === parent)
      .toSorted((one, other) => one.startTime[0] - other.startTime[0] || one.startTime[1] - other.startTime[1])
      .flatMap((span) => [`${indent}${span.name}`, ...below(span.spanContext().spanId, `${indent}  `)]);
  return {
    provider,
    get spans() {
      return exporter.getFinishedSpans();
    },
    async within(name, run) {
      return await provider.getTracer('program').startActiveSpan(name, async (span) => {
        try {
          return await run();
        } finally {
          span.end();
        }
      });
    },
    tree: (name) => below(spanId(name), ''),
    spanId,
  };
}

/** The span that is active where this is called. */
export const activeSpan = (): string | undefined => trace.getActiveSpan()?.spanContext().spanId;
