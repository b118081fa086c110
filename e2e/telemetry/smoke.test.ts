import { createSdk, tool } from '@hexagent/sdk';
import { createSdkMcpServer, query, tool as dropInTool } from '@hexagent/sdk/claude-agent-sdk';
import { instrument, withTelemetry } from '@hexagent/otel';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { withCli } from '../support/cli.ts';
import { optionsOf } from '../support/queries.ts';
import { stage } from '../support/stage.ts';
import { activeSpan, tracing } from './tracing.ts';

const model = 'claude-opus-5-5';
/** Calls an own tool, then a shell that prints the trace that it belongs to. */
const script = [toolUse('mcp__own__add', { a: 1 }), toolUse('Bash', { command: 'echo $TRACEPARENT' }), 'Done.'];
const tree = [
  'invoke_agent claude-code',
  `  chat ${model}`,
  '    execute_tool mcp__own__add',
  `  chat ${model}`,
  '    execute_tool Bash',
  `  chat ${model}`,
];

withCli('A session with telemetry', () => {
  it('is traced from the request of a program to its own tools, its hooks and the shells of the agent', async () => {
    await using place = await stage(script);
    const traced = tracing();
    const active: Record<string, string | undefined> = {};
    const add = tool('add', 'Adds.', { a: z.number() }, async ({ a }) => {
      await new Promise(setImmediate);
      active['tool'] = activeSpan();
      return { content: [{ type: 'text', text: `${a + 1}` }] };
    });
    const sdk = createSdk(withTelemetry({}, { tracerProvider: traced.provider }));
    const shell: string[] = [];
    await traced.within('request', async () => {
      await using session = await sdk.openSession({
        ...place.options,
        tools: [add],
        permissions: { allow: ['mcp__own__add'] },
        hooks: {
          PostToolUse: [{ hooks: [async (_, call) => ((active[`hook after ${call}`] = activeSpan()), {})] }],
        },
        onAsk: () => {
          active['onAsk'] = activeSpan();
          return { behavior: 'allow' };
        },
      });
      for await (const message of session.send('go'))
        if (message.type === 'user') shell.push(JSON.stringify(message.message.content));
      await session.finish();
    });
    expect(traced.tree('request')).toEqual(tree);
    const idOf = (name: string): string =>
      String(traced.spans.find((span) => span.name === `execute_tool ${name}`)?.attributes['gen_ai.tool.call.id']);
    const own = traced.spanId('execute_tool mcp__own__add');
    const bash = traced.spanId('execute_tool Bash');
    expect(active).toEqual({
      tool: own,
      [`hook after ${idOf('mcp__own__add')}`]: own,
      onAsk: bash,
      [`hook after ${idOf('Bash')}`]: bash,
    });
    expect(shell.at(-1)).toContain(`-${traced.spanId('request')}-01`);
    const approval = traced.spans.find(({ name }) => name === 'execute_tool Bash')?.events.at(-1);
    expect(approval).toMatchObject({
      name: 'hexagent.approval',
      attributes: { 'hexagent.approval.decision': 'allow', 'hexagent.approval.answered_by': 'program' },
    });
  });
});

withCli('The drop-in with telemetry', () => {
  it('has the same trace, by one line before and the options as they were', async () => {
    await using place = await stage(script);
    const traced = tracing();
    const active: Record<string, string | undefined> = {};
    const end = instrument({ tracerProvider: traced.provider });
    try {
      const add = dropInTool('add', 'Adds.', { a: z.number() }, async ({ a }) => {
        active['tool'] = activeSpan();
        return { content: [{ type: 'text', text: `${a + 1}` }] };
      });
      const options = optionsOf(place, {
        mcpServers: { own: createSdkMcpServer({ name: 'own', tools: [add] }) },
        allowedTools: ['mcp__own__add'],
        canUseTool: async (_, input) => {
          active['canUseTool'] = activeSpan();
          return { behavior: 'allow', updatedInput: input };
        },
      });
      let shell = '';
      await traced.within('request', async () => {
        for await (const message of query({ prompt: 'go', options }))
          if (message.type === 'user') shell = JSON.stringify(message.message.content);
      });
      expect(traced.tree('request')).toEqual(tree);
      expect(active).toEqual({
        tool: traced.spanId('execute_tool mcp__own__add'),
        canUseTool: traced.spanId('execute_tool Bash'),
      });
      expect(shell).toContain(`-${traced.spanId('request')}-01`);
    } finally {
      end();
    }
  });
});
