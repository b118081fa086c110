import { context, propagation, trace, type TextMapPropagator } from '@opentelemetry/api';
import type { SessionFeature } from '@hexagent/ports';
import { reply } from '@hexagent/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { open, paths, recorded, spanNamed, within } from './support.ts';

const own = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('The environment of an agent', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('names the span in which the conversation was opened, as W3C writes it', async () => {
    const seen = recorded();
    const { conversation, launch } = await within(seen, 'request', async () => await open({}, seen));
    const { traceId, spanId } = spanNamed(seen.spans.ended, 'request').spanContext();
    expect(launch?.env['TRACEPARENT']).toBe(`00-${traceId}-${spanId}-01`);
    await conversation.close();
  });

  it.each([
    ['that the program chose', {}],
    ['that this process was started with, which is older', { TRACEPARENT: own }],
  ])('has the parent %s', async (_, inherited) => {
    for (const [name, value] of Object.entries(inherited)) vi.stubEnv(name, value);
    const seen = recorded();
    const { conversation, launch } = await within(
      seen,
      'request',
      async () => await open({}, seen, { env: { TRACEPARENT: own } }),
    );
    expect(launch?.env['TRACEPARENT'] === own).toBe(!('TRACEPARENT' in inherited));
    await conversation.close();
  });

  it('has no parent where no span is active', async () => {
    const seen = recorded();
    const { conversation, launch } = await open({}, seen);
    expect(launch?.env).not.toHaveProperty('TRACEPARENT');
    await conversation.close();
  });

  it.each([
    [{}, 'anthropic'],
    [{ CLAUDE_CODE_USE_BEDROCK: '1' }, 'aws.bedrock'],
    [{ CLAUDE_CODE_USE_VERTEX: 'true' }, 'gcp.vertex_ai'],
    [{ CLAUDE_CODE_USE_FOUNDRY: '1' }, 'azure.ai.inference'],
  ])('names the service: %o', async (env, provider) => {
    const seen = recorded();
    const { conversation } = await open({ turns: ['hi'] }, seen, { env });
    await conversation.send('hi').result;
    await conversation.close();
    expect(seen.spans.ended.map(({ attributes }) => attributes['gen_ai.provider.name'])).toEqual([provider, provider]);
  });
});

const tracing = {
  CLAUDE_CODE_ENABLE_TELEMETRY: '1',
  CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
  OTEL_TRACES_EXPORTER: 'otlp',
};

describe('An agent that exports spans itself', () => {
  const script = {
    turns: [[reply.ask({ subtype: 'elicitation', mcp_server_name: 'own', message: 'Well?' }), 'Done.']],
  };

  it.each([
    [tracing, undefined, true],
    [{ ...tracing, CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '' }, undefined, false],
    [{ ...tracing, OTEL_TRACES_EXPORTER: 'none' }, undefined, false],
    [{ OTEL_TRACES_EXPORTER: 'otlp' }, undefined, false],
    [tracing, false, false],
    [{}, true, true],
  ])('shows in its environment or by an option, and gets no second spans: %o, %s', async (env, agentSpans, isQuiet) => {
    const seen = recorded();
    const ids: unknown[] = [];
    const feature: SessionFeature = {
      name: 'elicitor',
      handlers: {
        elicitation: async () => {
          ids.push(trace.getSpanContext(context.active())?.spanId);
          return { action: 'accept' };
        },
      },
    };
    const { conversation, launch } = await within(seen, 'request', async () => {
      const opened = await open(script, seen, { env, features: [feature], telemetry: { agentSpans } });
      await opened.conversation.send('hi').result;
      return opened;
    });
    await conversation.finish();
    const request = spanNamed(seen.spans.ended, 'request').spanContext().spanId;
    expect(launch?.env['TRACEPARENT']).toContain(request);
    expect(paths(seen.spans.ended).length > 1).toBe(!isQuiet);
    // Its callbacks still belong to the program's span.
    expect(ids[0] === request).toBe(isQuiet);
    expect(Object.keys(await seen.metrics())).toContain('hexagent.tokens');
  });
});

describe('A propagator of the program', () => {
  afterEach(() => propagation.disable());

  it('that throws keeps no agent from starting', async () => {
    const fail = (): never => {
      throw new Error('made up');
    };
    const broken: TextMapPropagator = { inject: fail, extract: fail, fields: () => [] };
    propagation.setGlobalPropagator(broken);
    const seen = recorded();
    const { conversation } = await within(seen, 'request', async () => await open({ turns: ['hi'] }, seen));
    expect(await conversation.send('hi').result).toMatchObject({ kind: 'completed' });
    await conversation.close();
  });
});
