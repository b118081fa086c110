import { createSdk } from '@hexagent/sdk';
import { withTelemetry } from '@hexagent/otel';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { attributeOf, otlpReceiver } from './otlp-receiver.ts';
import { tracing } from './tracing.ts';

const twice = [toolUse('Bash', { command: 'true' }), 'One.', toolUse('Bash', { command: 'true' }), 'Two.'];
const options = { permissions: { allow: ['Bash(true)'] } };

withCli('An agent that exports spans itself', () => {
  it('exports each turn and each call once, below the span of the program, and there are no others', async () => {
    await using receiver = await otlpReceiver();
    await using place = await stage(twice, receiver.env);
    const traced = tracing();
    const sdk = createSdk(withTelemetry({}, { tracerProvider: traced.provider }));
    await traced.within('request', async () => {
      await using session = await sdk.openSession({ ...place.options, ...options });
      for (const text of ['one', 'two']) await session.send(text).result;
      await session.finish();
    });
    expect(traced.spans.map(({ name }) => name)).toEqual(['request']);
    const operations = receiver.spans.map((span) => attributeOf(span, 'gen_ai.operation.name'));
    expect(operations.filter(Boolean).toSorted()).toEqual([
      'execute_tool',
      'execute_tool',
      'invoke_agent',
      'invoke_agent',
    ]);
    const turns = receiver.spans.filter(({ name }) => name === 'claude_code.interaction');
    expect(turns.map(({ parentSpanId }) => parentSpanId)).toEqual([traced.spanId('request'), traced.spanId('request')]);
  });

  it('does so only with all three of the variables', async () => {
    for (const name of [
      'CLAUDE_CODE_ENABLE_TELEMETRY',
      'CLAUDE_CODE_ENHANCED_TELEMETRY_BETA',
      'OTEL_TRACES_EXPORTER',
    ]) {
      await using receiver = await otlpReceiver();
      await using place = await stage(twice, { ...receiver.env, [name]: '' });
      const traced = tracing();
      const sdk = createSdk(withTelemetry({}, { tracerProvider: traced.provider }));
      await using session = await sdk.openSession({ ...place.options, ...options });
      await session.send('one').result;
      await session.finish();
      expect(receiver.spans).toEqual([]);
      expect(traced.spans.map(({ name: made }) => made)).toContain('invoke_agent claude-code');
    }
  });
});

withCli('A subagent', () => {
  it('is below the call that started it, with its own requests and calls', async () => {
    const task = { description: 'd', prompt: 'sub', subagent_type: 'general-purpose', run_in_background: false };
    const script = [toolUse('Agent', task), toolUse('Bash', { command: 'true' }), 'Seen.', 'Done.'];
    await using place = await stage(script);
    const traced = tracing();
    const sdk = createSdk(withTelemetry({}, { tracerProvider: traced.provider }));
    await traced.within('request', async () => {
      await using session = await sdk.openSession({ ...place.options, ...options });
      await session.send('go').result;
      await session.finish();
    });
    const chat = 'chat claude-opus-5-5';
    expect(traced.tree('request')).toEqual([
      'invoke_agent claude-code',
      `  ${chat}`,
      '    execute_tool Agent',
      '      invoke_agent general-purpose',
      `        ${chat}`,
      // Its last answer is a text, which the agent does not pass on.
      '          execute_tool Bash',
      `  ${chat}`,
    ]);
  });
});

withCli('The telemetry of a killed agent', () => {
  it('has an end for each span, with the code of the error', async () => {
    await using place = await stage([toolUse('Bash', { command: 'kill -9 $PPID; sleep 60' })]);
    const traced = tracing();
    const sdk = createSdk(withTelemetry({}, { tracerProvider: traced.provider }));
    await traced.within('request', async () => {
      const session = await sdk.openSession({ ...place.options, permissions: { mode: 'allow' } });
      await expect(session.send('go').result).rejects.toMatchObject({ code: 'AGENT_EXITED' });
      await session.close();
    });
    expect(traced.tree('request')).toHaveLength(3);
    const errors = Object.fromEntries(
      traced.spans.map(({ name, attributes }) => [name.split(' ')[0], attributes['error.type']]),
    );
    expect(errors).toEqual({
      request: undefined,
      invoke_agent: 'AGENT_EXITED',
      chat: undefined,
      execute_tool: 'AGENT_EXITED',
    });
  });
});
