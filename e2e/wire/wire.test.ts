import { toLaunch } from '@hexagent/cli-launch';
import type { Host, JsonRpcMessage, Launch } from '@hexagent/ports';
import { runCli, userFrame } from '@hexagent/testing/cli';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { start } from './agent.ts';

/** A launch that shows the agent a server in our process. */
function hosting(place: Stage, name: string, changes: Partial<Launch> = {}): Launch {
  const launch = toLaunch({ cwd: place.home.cwd, env: place.env, allowedTools: [`mcp__${name}`], settingSources: [] });
  return { ...launch, initialize: { ...launch.initialize, sdkMcpServers: [name] }, ...changes };
}

/** A server with one tool, which does what `call` does. */
function server(call: NonNullable<Host['mcp_message']>): NonNullable<Host['mcp_message']> {
  const results: Readonly<Record<string, unknown>> = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } },
    'tools/list': {
      tools: [{ name: 'tool', inputSchema: { type: 'object' }, _meta: { 'anthropic/alwaysLoad': true } }],
    },
  };
  return async (request, context) => {
    const { message } = request;
    if (message.method === 'tools/call') return (await call(request, context)) ?? undefined;
    if (message.id === undefined) return undefined;
    return { jsonrpc: '2.0', id: message.id, result: results[message.method ?? ''] };
  };
}

const toolAnswer = (message: JsonRpcMessage, text: string): JsonRpcMessage => ({
  jsonrpc: '2.0',
  id: message.id,
  result: { content: [{ type: 'text', text }] },
});

withCli('A server in our process', () => {
  it('is called before initialize is answered, also when all else is held back for it', async () => {
    await using place = await stage([toolUse('mcp__s__tool'), 'Done.']);
    const launch = hosting(place, 's');
    const args = [...launch.args, '--await-initialize'];
    await using agent = await start(
      { ...launch, args },
      { mcp_message: server(async ({ message }) => toolAnswer(message, 'Called.')) },
      { awaitInitialize: true },
    );
    expect(await agent.prompt('Go')).toMatchObject({ result: 'Done.' });
    expect(toolResults(await place.loopback.received(2))).toMatchObject([{ text: 'Called.' }]);
  });

  it('#57 is notified when its call is cancelled, and the session continues though it never answers', async () => {
    await using place = await stage([toolUse('mcp__s__tool'), 'The second turn.']);
    let cancelled: unknown;
    await using agent = await start(hosting(place, 's'), {
      mcp_message: server(async (_, { signal }) => {
        signal.addEventListener('abort', () => (cancelled = signal.reason));
        void agent.channel.request('interrupt');
        return await new Promise<never>(() => {});
      }),
    });
    // The CLI calls a tool while the message that asks for it may still stream.
    expect(await agent.prompt('Go')).toMatchObject({
      terminal_reason: expect.stringMatching(/^aborted_(?:tools|streaming)$/),
    });
    expect(cancelled).toBeInstanceOf(Error);
    expect(agent.channel.openAnswers).toBe(0);
    expect(await agent.prompt('Go on')).toMatchObject({ result: 'The second turn.' });
  });
});

withCli('A message the parser refuses', () => {
  // Each is swallowed: no result ever comes for it, and who waits for one waits for ever.
  it.each([[[null]], [['hi']], [[{ type: 'text' }]], [5]])(
    'would be swallowed by the CLI without a word: %j',
    async (content) => {
      await using place = await stage(['For the second.', 'For nobody.']);
      const lines = [userFrame(content as never), userFrame('Hello')];
      await using run = await runCli({ cli, loopback: place.loopback, home: place.home, stdinLines: lines });
      run.end();
      await run.exit;
      expect(run.frames.filter(({ type }) => type === 'result')).toMatchObject([{ result: 'For the second.' }]);
    },
  );
});
