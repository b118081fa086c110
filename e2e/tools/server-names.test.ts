import {
  allow,
  createSdkMcpServer,
  deny,
  hooks,
  openSession,
  tool,
  type AskHandler,
  type SessionOptions,
} from '@hexagent/sdk';
import { toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';
import { callAll } from '../support/tool-calls.ts';

/** The name of one server begins with that of another, and of two tools the agent makes names that look alike. */
const tools: Readonly<Record<string, readonly string[]>> = {
  files: ['y', 'x__y', '__w'],
  files__x: ['z'],
  files_x: ['y'],
};
const names = ['mcp__files__y', 'mcp__files__x__y', 'mcp__files____w', 'mcp__files__x__z', 'mcp__files_x__y'];

withCli('The name of a server', () => {
  /** Which tools ran, and which of the others requested permission. */
  async function run(options: SessionOptions): Promise<{ ran: readonly string[]; asked: readonly string[] }> {
    await using place = await stage(callAll(...names.map((name) => toolUse(name, {}))), { IS_SANDBOX: '1' });
    const ran: string[] = [];
    const asked: string[] = [];
    const server = (name: string): ReturnType<typeof createSdkMcpServer> =>
      createSdkMcpServer({
        name,
        tools: (tools[name] ?? []).map((each) =>
          tool(each, 'Does it.', {}, () => (ran.push(`${name} ${each}`), { content: [{ type: 'text', text: 'ok' }] })),
        ),
      });
    const servers = Object.keys(tools).map((name) => server(name));
    const onAsk: AskHandler = (ask) => {
      if (ask.kind !== 'call') return null;
      const { mcp_server: asking } = ask.request;
      asked.push(`${asking?.name} ${ask.tool.slice(`mcp__${asking?.name}__`.length)}`);
      return options.hooks === undefined ? deny('No.') : allow();
    };
    await using session = await openSession({
      ...place.options,
      tools: servers,
      ...options,
      onAsk,
    });
    expect(await session.send('go').result).toMatchObject({ kind: 'completed' });
    return { ran: ran.toSorted(), asked: asked.toSorted() };
  }
  const ofFiles = ['files __w', 'files x__y', 'files y'];

  it.each(['mcp__files', 'mcp__files__*'])(
    'in an allow rule covers the tools of that server alone: %s',
    async (rule) => {
      expect(await run({ permissions: { allow: [rule] } })).toEqual({
        ran: ofFiles,
        asked: ['files__x z', 'files_x y'],
      });
    },
  );

  it('in a deny and in an ask rule covers those of each server that may be meant', async () => {
    const bypass = { cliMode: 'bypassPermissions', allowBypass: true } as const;
    expect((await run({ permissions: { ...bypass, deny: ['mcp__files'] } })).ran).toEqual(['files_x y']);
    expect((await run({ permissions: { ...bypass, deny: ['mcp__files__x'] } })).ran).not.toContain('files__x z');
    expect(await run({ permissions: { mode: 'allow', ask: ['mcp__files'] } })).toEqual({
      ran: ['files_x y'],
      asked: [...ofFiles, 'files__x z'],
    });
  });

  it('in hooks.onlyTools() lets the tools of that server run alone', async () => {
    expect((await run({ hooks: hooks.onlyTools('mcp__files') })).ran).toEqual(ofFiles);
    expect((await run({ hooks: hooks.onlyTools('mcp__files__x') })).ran).toEqual(['files__x z']);
    expect((await run({ hooks: hooks.onlyTools('mcp__files__x__y') })).ran).toEqual(['files x__y']);
  });

  it('in hooks.withoutTools() refuses those of each server that may be meant', async () => {
    expect((await run({ hooks: hooks.withoutTools('mcp__files') })).ran).toEqual(['files_x y']);
  });
});
