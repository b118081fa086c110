import {
  _resetPatchState,
  ClaudeAgentSDKInstrumentation,
} from '@arizeai/openinference-instrumentation-claude-agent-sdk';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { _exportsForTestingOnly, initLogger, wrapClaudeAgentSDK as wrapForBraintrust } from 'braintrust';
import { Client } from 'langsmith';
import { wrapClaudeAgentSDK as wrapForLangSmith } from 'langsmith/experimental/anthropic';
import type { Sdk } from './sdks.ts';

/** What a tracer made of one step of an agent. */
export interface TracedStep {
  readonly id: unknown;
  readonly parent: unknown;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A tracer that is published for the official package, and what it has traced. Nothing leaves the process. */
export interface Tracer {
  readonly wrap: (sdk: Sdk) => Sdk;
  readonly steps: () => Promise<readonly TracedStep[]>;
}

function openInference(): Tracer {
  // It wraps one package in a process, unless it forgets that.
  _resetPatchState();
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const instrumentation = new ClaudeAgentSDKInstrumentation({ tracerProvider });
  return {
    wrap: (sdk) => instrumentation.manuallyInstrument(sdk),
    steps: async () =>
      exporter.getFinishedSpans().map((span) => ({
        id: span.spanContext().spanId,
        parent: span.parentSpanContext?.spanId,
        fields: { name: span.name, status: span.status, attributes: span.attributes, events: span.events.length },
      })),
  };
}

function langSmith(): Tracer {
  const client = new Client({ apiUrl: 'http://127.0.0.1:9', apiKey: 'made-up', autoBatchTracing: false });
  const runs = new Map<unknown, Readonly<Record<string, unknown>>>();
  const keep = (id: unknown, run: object): void => void runs.set(id, { ...runs.get(id), ...run });
  // In place of sending them.
  client.createRun = async (run) => keep(run.id, run);
  client.updateRun = async (id, run) => keep(id, run);
  return {
    wrap: (sdk) => wrapForLangSmith(sdk, { client, tracingEnabled: true }),
    steps: async () => {
      await client.awaitPendingTraceBatches();
      return [...runs.values()].map(
        ({ id, parent_run_id: parent, name, run_type: type, inputs, outputs, error, extra }) => ({
          id,
          parent,
          fields: { name, type, inputs, outputs, error, metadata: Object(extra)['metadata'] },
        }),
      );
    },
  };
}

async function braintrust(): Promise<Tracer> {
  await _exportsForTestingOnly.simulateLoginForTests();
  const memory = _exportsForTestingOnly.useTestBackgroundLogger();
  initLogger({ projectName: 'offline', projectId: 'offline' });
  return {
    wrap: (sdk) => wrapForBraintrust(sdk),
    steps: async () => {
      const rows = await memory.drain();
      return rows
        .map((row): Readonly<Record<string, unknown>> => ({ ...row }))
        .map(
          ({
            span_id: id,
            span_parents: parents,
            span_attributes: attributes,
            input,
            output,
            error,
            metrics,
            metadata,
          }) => ({
            id,
            parent: Array.isArray(parents) ? parents[0] : undefined,
            fields: { attributes, input, output, error, metadata, metrics: withoutTimes(metrics) },
          }),
        );
    },
  };
}

function withoutTimes(metrics: unknown): object {
  return Object.fromEntries(Object.entries(Object(metrics)).filter(([name]) => name !== 'start' && name !== 'end'));
}

/** By the name of their package. */
export const tracers: Readonly<Record<string, () => Tracer | Promise<Tracer>>> = {
  '@arizeai/openinference-instrumentation-claude-agent-sdk': openInference,
  langsmith: langSmith,
  braintrust,
};
