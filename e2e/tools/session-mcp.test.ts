import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { external } from '@hexagent/mcp-client';
import { createSdkMcpServer, McpNotReady, tool, toolResult } from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { everything, greeter, open, own } from './servers.ts';

const failing = { command: process.execPath, args: ['-e', 'console.error("I need TOKEN"); process.exitCode = 3'] };
const mute = { command: process.execPath, args: ['-e', 'process.stdin.resume()'] };
withCli('#13 session.mcp.ready()', () => {
  it('resolves when every server is connected, and the first turn has their tools', async () => {
    await using place = await stage(callOnce('mcp__greeter__greet', { name: 'Ann' }));
    const servers = { greeter, own: own(), shared: external({ name: 'shared', ...everything }) };
    await using session = await open(place, servers, { permissions: { allow: ['mcp__greeter'] } });
    const states = await session.mcp.ready();
    expect(states.map(({ name, state, isHosted }) => [name, state, isHosted]).toSorted()).toEqual([
      ['greeter', 'connected', false],
      ['own', 'connected', true],
      ['shared', 'connected', true],
    ]);
    expect(states.find(({ name }) => name === 'own')?.tools).toEqual(['hi', 'fail']);
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining('Hello Ann') });
  });

  it('counts servers of this process as pending until all of them have answered the agent', async () => {
    await using place = await stage();
    await using session = await open(place, { real: external({ name: 'real', ...mute }), own: own() });
    await expect(session.mcp.ready({ timeoutMs: 300 })).rejects.toMatchObject({
      servers: [
        { name: 'real', state: 'pending', isHosted: true },
        { name: 'own', state: 'pending', isHosted: true },
      ],
    });
  });
});

withCli('session.mcp', () => {
  it('calls a tool of a server whose name the agent writes otherwise in the names of tools', async () => {
    await using place = await stage();
    await using session = await open(place, { 'my greeter.1': greeter });
    await session.mcp.ready();
    expect(await session.mcp.call('my greeter.1', 'greet', { name: 'Ann' })).toMatchObject({
      content: [{ text: expect.stringContaining('Hello Ann') }],
    });
  });

  it('has the agent ask about the tools of one server in its mode `auto`', async () => {
    await using place = await stage(callOnce('mcp__own__hi', {}));
    await using session = await open(place, { own: own() }, { permissions: { cliMode: 'auto' } });
    expect(await session.mcp.setPermissionMode('own', 'default')).toBeUndefined();
    expect(await session.send('go').text()).toContain('requested permissions to use mcp__own__hi');
    await expect(session.mcp.setPermissionMode('own', 'plan' as 'auto')).rejects.toThrow('`mode` must be');
    await expect(session.mcp.setPermissionMode('won', 'auto')).rejects.toThrow('Did you mean `own`?');
  });

  it('reports what the agent refuses of a sign-in', async () => {
    await using place = await stage();
    await using session = await open(place, { own: own() });
    const code = 'REQUEST_FAILED';
    await expect(session.mcp.signIn('own')).rejects.toMatchObject({ code });
    await expect(session.mcp.finishSignIn('own', 'http://back')).rejects.toMatchObject({ code });
    await expect(session.mcp.signOut('own')).rejects.toMatchObject({ code });
  });

  it('#47 reads resources of servers that this process dials, and reports what the agent refuses of others', async () => {
    await using place = await stage();
    await using session = await open(place, { everything, shared: external({ name: 'shared', ...everything }) });
    await session.mcp.ready();
    const uri = 'demo://resource/dynamic/text/1';
    expect(await session.mcp.readResource('shared', uri)).toMatchObject({ contents: [{ uri }] });
    await expect(session.mcp.readResource('everything', uri)).rejects.toThrow('uri must use the ui:// scheme');
    await expect(session.mcp.readResource('shared', 'demo://nothing')).rejects.toMatchObject({
      code: 'REQUEST_FAILED',
    });
  });

  it('turns servers off and on, and a later session in the folder begins without those that the agent dials', async () => {
    await using place = await stage();
    await using session = await open(place, { greeter, own: own() });
    await session.mcp.ready();
    for (const name of ['greeter', 'own']) {
      await session.mcp.toggle(name, false);
      await expect(session.mcp.ready({ servers: [name] })).rejects.toMatchObject({
        servers: [{ name, state: 'disabled' }],
      });
      await expect(session.mcp.reconnect(name)).rejects.toThrow('is disabled');
    }
    // The file is written some time after the answer.
    const noted = async (): Promise<unknown> => {
      const text = await readFile(join(String(place.env['HOME']), '.claude.json'), 'utf8');
      const { projects } = JSON.parse(text) as { projects: Record<string, { disabledMcpServers?: unknown }> };
      return projects[place.home.cwd]?.disabledMcpServers;
    };
    await expect.poll(noted, { timeout: 30_000, interval: 20 }).toEqual(['greeter', 'own']);
    await using later = await open(place, { greeter, own: own() });
    expect(await later.mcp.ready()).toMatchObject([{ name: 'own', state: 'connected' }]);
    expect(await later.mcp.status()).toContainEqual({ name: 'greeter', state: 'disabled', isHosted: false });
    expect(await session.mcp.ready()).toEqual([]);
    for (const name of ['greeter', 'own']) await session.mcp.toggle(name, true);
    expect(await session.mcp.ready()).toHaveLength(2);
  });

  it('connects again to servers that failed', async () => {
    await using place = await stage();
    const file = join(place.home.cwd, 'mood.mjs');
    const moody = (name: string) => external({ name, command: process.execPath, args: [file] });
    await using session = await open(place, { dialled: { command: 'node', args: [file] }, shared: moody('shared') });
    for (const name of ['dialled', 'shared']) {
      await expect(session.mcp.ready({ servers: [name] })).rejects.toBeInstanceOf(McpNotReady);
      await expect(session.mcp.reconnect(name)).rejects.toMatchObject({
        code: /shared/.test(name) ? 'MCP_NOT_READY' : 'REQUEST_FAILED',
      });
    }
    await writeFile(
      file,
      `await import(${JSON.stringify(new URL('../fixtures/greeting-server.mjs', import.meta.url).href)})`,
    );
    for (const name of ['dialled', 'shared']) await session.mcp.reconnect(name);
    expect(await session.mcp.ready()).toHaveLength(2);
  });

  it('replaces servers: of those in the options, those that the agent dials stay', async () => {
    await using place = await stage(callOnce('mcp__late__hi', {}));
    const first = own();
    await using session = await open(place, { greeter, own: first }, { permissions: { allow: ['mcp__late'] } });
    await session.mcp.ready();
    const late = createSdkMcpServer({ name: 'late', tools: [tool('hi', 'd', {}, () => toolResult.text('at last'))] });
    expect(await session.mcp.setServers({ late, failing })).toEqual({
      added: ['late', 'failing'],
      removed: ['own'],
      errors: { failing: 'Connection closed' },
    });
    const states = await session.mcp.ready({ servers: ['greeter', 'late'] });
    expect(states.map(({ name }) => name)).toEqual(['greeter', 'late']);
    expect(await session.mcp.call('late', 'hi')).toMatchObject({ content: [{ text: 'at last' }] });
    await expect(session.mcp.call('own', 'hi')).rejects.toThrow('which is no MCP server of this session');
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining('at last') });
    expect(await session.mcp.setServers({ late, own: first })).toMatchObject({ added: ['own'], removed: ['failing'] });
    await session.mcp.ready();
    expect(await session.mcp.call('own', 'hi')).toMatchObject({ content: [{ text: 'hello' }] });
  });

  it('takes a program without arguments, as the options do: the agent fails for one that is set without them', async () => {
    await using place = await stage();
    await using session = await open(place, {});
    const command = fileURLToPath(new URL('../fixtures/greeting-server.mjs', import.meta.url));
    expect(await session.mcp.setServers({ plain: { command } })).toEqual({ added: ['plain'], removed: [], errors: {} });
  });

  it('keeps the tools made by tool() when servers are replaced', async () => {
    await using place = await stage([toolUse('mcp__own__hi', {}), 'Done']);
    const hi = tool('hi', 'd', {}, () => toolResult.text('still here'));
    await using session = await open(place, {}, { tools: [hi], permissions: { allowOwnTools: true } });
    await session.mcp.ready();
    expect(await session.mcp.setServers({})).toEqual({ added: [], removed: [], errors: {} });
    expect(await session.mcp.call('own', 'hi')).toMatchObject({ content: [{ text: 'still here' }] });
  });

  it('gives a server the arguments as JSON carries them, whatever they are called, and refuses others at once', async () => {
    const echo = tool('echo', 'd', { type: 'object' }, (given) => toolResult.text(JSON.stringify(given)));
    await using place = await stage();
    const shared = external({ name: 'shared', ...everything });
    await using session = await open(place, {
      greeter,
      shared,
      own: createSdkMcpServer({ name: 'own', tools: [echo] }),
    });
    await session.mcp.ready();
    const given = { subtype: 'x', when: new Date(0), left: undefined };
    expect(await session.mcp.call('own', 'echo', given)).toMatchObject({
      content: [{ text: '{"subtype":"x","when":"1970-01-01T00:00:00.000Z"}' }],
    });
    const circle: Record<string, unknown> = {};
    circle['circle'] = circle;
    for (const server of ['greeter', 'shared', 'own'])
      for (const [args, why] of [
        [{ message: 1n }, '`args.message` is a BigInt'],
        [circle, '`args.circle.circle` refers back'],
      ] as const)
        await expect(session.mcp.call(server, 'echo', args)).rejects.toThrow(
          expect.objectContaining({ name: 'TypeError', message: expect.stringContaining(why) }),
        );
  });
});
