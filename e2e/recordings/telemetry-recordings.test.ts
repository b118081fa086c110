import { withTelemetry } from '@hexagent/otel';
import { BasicTracerProvider, type ReadableSpan, type Span, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { assertConventional } from '../../packages/adapters/otel/test/conventions.ts';
import { listRecordings, loadRecording } from '../../packages/testing/test/recordings/load-recording.ts';
import { replay } from './replay.ts';

const names = (await listRecordings()).filter(({ use }) => use === 'both').map(({ name }) => name);

/** What was started, and what has ended. */
class Keeping implements SpanProcessor {
  readonly started: Span[] = [];
  readonly ended: ReadableSpan[] = [];
  onStart = (span: Span): void => void this.started.push(span);
  onEnd = (span: ReadableSpan): void => void this.ended.push(span);
  forceFlush = async (): Promise<void> => {};
  shutdown = async (): Promise<void> => {};
}

async function traced(name: string): Promise<{ readonly spans: Keeping; readonly calls: readonly unknown[] }> {
  const spans = new Keeping();
  const recording = await loadRecording(name);
  await replay(recording, withTelemetry({}, { tracerProvider: new BasicTracerProvider({ spanProcessors: [spans] }) }));
  return { spans, calls: recording.entries.flatMap(({ dir, frame }) => (dir === 'out' ? callsOf(frame) : [])) };
}

/** The ids of the calls in an answer of the model. */
function callsOf(frame: unknown): readonly unknown[] {
  const { type, message } = Object(frame) as {
    readonly type?: unknown;
    readonly message?: { readonly content?: unknown };
  };
  const content = type === 'assistant' ? message?.content : [];
  return Array.isArray(content) ? content.filter((block) => Object(block).type === 'tool_use').map(({ id }) => id) : [];
}

describe('The spans of every recording', () => {
  it.each(names)('end, each once, as the conventions have them and below their parents: %s', async (name) => {
    const { spans, calls } = await traced(name);
    expect(spans.ended).toHaveLength(spans.started.length);
    expect(new Set(spans.ended.map((span) => span.spanContext().spanId)).size).toBe(spans.ended.length);
    const byId = new Map(spans.ended.map((span) => [span.spanContext().spanId, span]));
    for (const span of spans.ended) {
      assertConventional(span);
      const parent = byId.get(span.parentSpanContext?.spanId ?? '');
      const [own, above] = [span, parent].map((each) => each?.attributes['gen_ai.operation.name']);
      expect([own, above], span.name).toEqual(
        expect.toBeOneOf([
          ['invoke_agent', undefined],
          ['invoke_agent', 'execute_tool'],
          ['chat', 'invoke_agent'],
          ['execute_tool', 'chat'],
        ]),
      );
      // A child begins within its parent, and nothing ends before it has begun.
      const times = [...(parent === undefined ? [] : [parent.startTime]), span.startTime, span.endTime];
      expect(times.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])).toEqual(times);
    }
    const seen = spans.ended.flatMap(({ attributes }) => attributes['gen_ai.tool.call.id'] ?? []);
    expect(seen.toSorted()).toEqual(calls.toSorted());
  });
});
