/* Prints the trace of a request of a server, in which an agent works. `node telemetry.ts "What is the weather in Rome?"` */
import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { instrument } from '@hexagent/otel';
import { openSession, tool } from '@hexagent/sdk';
import { z } from 'zod';

// In a server, the OpenTelemetry SDK does this, with an exporter that sends spans to where they are looked at.
const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

// All that telemetry needs.
instrument();

const tracer = trace.getTracer('example');
const weather = tool(
  'weather',
  'The weather in a city.',
  { city: z.string() },
  async ({ city }) =>
    // Below the call of the tool: a database or an HTTP client traces itself like this.
    await tracer.startActiveSpan('SELECT weather', async (span) => {
      span.end();
      return { content: [{ type: 'text' as const, text: `It rains in ${city}.` }] };
    }),
);

await tracer.startActiveSpan('POST /questions', async (request) => {
  const session = await openSession({ tools: [weather], onAsk: () => ({ behavior: 'allow' }) });
  try {
    const outcome = await session.send(process.argv[2] ?? 'What is the weather in Rome?').result;
    console.log(outcome.kind === 'completed' ? outcome.text : outcome.kind);
  } finally {
    await session.close();
    request.end();
  }
});

const spans = exporter.getFinishedSpans();
const print = (span: ReadableSpan, indent: string): void => {
  const { attributes, events, name, status } = span;
  const tokens = attributes['gen_ai.usage.output_tokens'];
  const approvals = events.filter((event) => event.name === 'hexagent.approval');
  const notes = [
    ...(tokens === undefined ? [] : [`${String(tokens)} tokens`]),
    ...approvals.map(
      ({ attributes: by }) =>
        `${String(by?.['hexagent.approval.decision'])} by ${String(by?.['hexagent.approval.answered_by'])}`,
    ),
    ...(status.code === SpanStatusCode.ERROR ? [String(attributes['error.type'])] : []),
  ];
  console.log(`${indent}${name}${notes.length > 0 ? `: ${notes.join(', ')}` : ''}`);
  for (const child of spans)
    if (child.parentSpanContext?.spanId === span.spanContext().spanId) print(child, `${indent}  `);
};
for (const root of spans) if (root.parentSpanContext === undefined) print(root, '');
