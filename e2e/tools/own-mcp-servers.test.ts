import { McpServer as RealServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { hostServer } from '@hexagent/mcp-sdk-server';
import { createSdkMcpServer, openSession, tool } from '@hexagent/sdk';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { z as mini } from 'zod/mini';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { calling, light, open, recorded, text } from './own-servers.ts';

withCli('The manifest of a server in this process', () => {
  it('spares the agent the handshake, which it makes up for when it reconnects', async () => {
    const { script } = calling(['words']);
    const { server, asked, send } = recorded(light([{ name: 'words', run: () => text('hi') }]));
    await using place = await stage(script as never);
    await using session = await open(place, server);
    expect(await session.ready).toHaveProperty('sdk_mcp_manifests_parked', { mine: 'parked' });
    await session.send('go').result;
    expect(asked).toEqual(['tools/call']);
    await send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    await session.send('again').result;
    expect(asked).toEqual(['tools/call', 'tools/list', 'tools/call']);
    await session.request('mcp_toggle', { serverName: 'mine', enabled: false });
    await session.request('mcp_toggle', { serverName: 'mine', enabled: true });
    expect(asked.slice(3)).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
  });

  it('is not there where zod has to be loaded first: then the agent asks', async () => {
    const words = tool('words', 'd', { a: mini.optional(mini.string()) }, () => text('hi'));
    const { server, asked } = recorded(hostServer(createSdkMcpServer({ name: 'mine', tools: [words] })));
    const { script, results } = calling(['words']);
    await using place = await stage(script as never);
    await using session = await open(place, server);
    await session.send('go').result;
    expect(asked).toEqual(['initialize', 'notifications/initialized', 'tools/list', 'tools/call']);
    expect(results.get('words')).toBe('hi');
  });
});

withCli('An McpServer of your own', () => {
  it('has its resources read, and its new tools seen', async () => {
    const instance = new RealServer({ name: 'mine', version: '1' });
    instance.registerTool('grow', { description: 'd' }, () => {
      instance.registerTool('grown', { description: 'd' }, () => text('grown up') as never);
      return text('ok') as never;
    });
    instance.registerResource('note', 'note://1', {}, () => ({ contents: [{ uri: 'note://1', text: 'remember me' }] }));
    const rounds = [
      toolUse('mcp__mine__grow', {}),
      toolUse('ReadMcpResourceTool', { server: 'mine', uri: 'note://1' }),
      toolUse('mcp__mine__grown', {}),
    ];
    const read: string[] = [];
    await using place = await stage((request) => {
      read.push(...toolResults(request).map((result) => result.text));
      return rounds.shift() ?? 'done';
    });
    await using session = await openSession({
      ...place.options,
      tools: [{ mine: { type: 'sdk', name: 'mine', instance } }],
      permissions: { allow: ['mcp__mine'] },
    });
    await session.send('go').result;
    expect(read.join('\n')).toContain('remember me');
    expect(read).toContain('grown up');
  });
});

withCli('The prompts of an McpServer of your own', () => {
  it('are not asked for by the agent', async () => {
    const create = (): RealServer => {
      const instance = new RealServer({ name: 'mine', version: '1' });
      instance.registerPrompt('greet', {}, () => ({ messages: [] }));
      instance.registerTool('words', { description: 'd' }, () => text('hi') as never);
      return instance;
    };
    const { server, asked } = recorded(hostServer({ type: 'sdk', name: 'mine', create }));
    await using place = await stage(['done']);
    await using session = await open(place, server);
    await session.send('/mcp__mine__greet').result;
    expect(asked).toEqual(['initialize', 'notifications/initialized', 'tools/list']);
    // What would be its command is a text for the model.
    expect(JSON.stringify(place.loopback.requests)).toContain('/mcp__mine__greet');
  });
});
