import { external } from '@hexagent/mcp-client';
import { createSdk, createSdkMcpServer, tool, type McpServer, type Session } from '@hexagent/sdk';
import { query } from '@hexagent/sdk/claude-agent-sdk';
import type { Warning } from '@hexagent/ports';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';

const needy = () =>
  external({
    name: 'needy',
    command: process.execPath,
    args: ['-e', 'console.error("I need TOKEN"); process.exitCode = 3'],
    env: { SECRET: 'made-up-secret' },
  });

async function open(
  place: Stage,
  servers: Readonly<Record<string, McpServer>>,
): Promise<{ session: Session; warnings: Warning[] }> {
  const warnings: Warning[] = [];
  const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
  const session = await sdk.openSession({
    ...place.options,
    tools: [servers],
    permissions: { allow: ['mcp__mortal'] },
  });
  return { session, warnings };
}

const statusOf = async (session: Session): Promise<unknown> => (await session.request('mcp_status')).mcpServers;

withCli('A server that this process dials and that cannot start', () => {
  it('has the reason in the status and in a warning, with its last words and its exit code, and without its secrets', async () => {
    await using place = await stage(['Done']);
    const { session, warnings } = await open(place, { needy: needy() });
    await using _ = session;
    await session.send('go').result;
    const reason = 'The MCP server needy has ended with code 3. It last wrote: I need TOKEN';
    expect(await statusOf(session)).toMatchObject([{ name: 'needy', status: 'failed', error: reason }]);
    expect(warnings[0]).toMatchObject({
      code: 'HEXAGENT_SERVER_FAILED',
      source: 'MCP server needy',
      message: `The MCP server needy failed: ${reason}`,
    });
    expect(JSON.stringify(warnings)).not.toContain('made-up-secret');
  });

  it('has the reason in `mcpServerStatus()` of a query', async () => {
    await using place = await stage(['Done']);
    const refusing = {
      type: 'sdk',
      name: 'refusing',
      instance: { connect: () => Promise.reject(new Error('out of ink')), close: async () => {} },
    } as const;
    const options = { cwd: place.home.cwd, env: { ...place.env }, pathToClaudeCodeExecutable: cli };
    const running = query({ prompt: 'go', options: { ...options, mcpServers: { refusing } } });
    const seen: unknown[] = [];
    for await (const message of running) if (message.type === 'result') seen.push(await running.mcpServerStatus());
    expect(seen).toMatchObject([
      [{ name: 'refusing', status: 'failed', error: expect.stringContaining('out of ink') }],
    ]);
  });
});

withCli('A server that this process dials and that ends', () => {
  it('has the reason in the status and in a warning', async () => {
    await using place = await stage([toolUse('mcp__mortal__die', {}), 'Done']);
    const { session, warnings } = await open(place, { mortal: mortal() });
    await using _ = session;
    await session.send('go').result;
    expect(await statusOf(session)).toMatchObject([
      { name: 'mortal', error: expect.stringContaining('has ended with code 4. It last wrote: too tired') },
    ]);
    expect(warnings.map(({ code }) => code)).toContain('HEXAGENT_SERVER_FAILED');
  });
});

withCli('A tool that answers nonsense', () => {
  it('is warned of, and a tool that throws is not: that is how it reports a failure to the model', async () => {
    const odd = tool('odd', 'd', {}, () => 'text' as never);
    const failing = tool('failing', 'd', {}, () => Promise.reject(new Error('not today')));
    const own = createSdkMcpServer({ name: 'own', tools: [odd, failing] });
    await using place = await stage([[toolUse('mcp__own__failing', {})], [toolUse('mcp__own__odd', {})], 'Done']);
    const warnings: Warning[] = [];
    const sdk = createSdk({ onWarning: (warning) => void warnings.push(warning) });
    await using session = await sdk.openSession({
      ...place.options,
      tools: [{ own }],
      permissions: { allow: ['mcp__own'] },
    });
    await session.send('go').result;
    expect(warnings).toMatchObject([
      { code: 'HEXAGENT_CALLBACK_FAILED', message: expect.stringContaining('The tool odd answered with no result') },
    ]);
  });
});

/** Lives until its tool is called. */
function mortal(): McpServer {
  const program = `
    import { Server } from '@modelcontextprotocol/sdk/server/index.js';
    import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
    import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
    const server = new Server({ name: 'mortal', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [{ name: 'die', inputSchema: { type: 'object' } }] }));
    server.setRequestHandler(CallToolRequestSchema, () => { console.error('too tired'); process.exit(4); });
    await server.connect(new StdioServerTransport());
  `;
  return external({
    name: 'mortal',
    command: process.execPath,
    args: ['--input-type=module', '-e', program],
    cwd: import.meta.dirname,
    // Otherwise it works again when the status is read.
    reconnect: false,
  });
}
