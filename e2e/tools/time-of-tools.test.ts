import { external } from '@hexagent/mcp-client';
import { createSdk, createSdkMcpServer, tool, type Session, type AnyServer } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { published } from './servers-of-others.ts';

/** By default the CLI waits for more than a day; here it waits for as little as it can. */
const impatient = { MCP_TOOL_TIMEOUT: '1000' };
const longer = { duration: 1.6, steps: 8 };
const everything = published('everything', 'stdio');

const open = (place: Stage, servers: Readonly<Record<string, AnyServer>>): Promise<Session> =>
  createSdk({ onWarning: () => {} }).openSession({
    ...place.options,
    tools: [servers],
    permissions: { allow: ['mcp__slow', 'mcp__mine'] },
  });

withCli('#28 The limit of the CLI for a call', () => {
  it.each([
    ['no limit of ours', {}],
    ['a limit that progress begins anew', { tools: { timeoutMs: 1200 } }],
  ])('does not end that of a tool of external(), with %s', async (_, limits) => {
    await using place = await stage(callOnce('mcp__slow__trigger-long-running-operation', longer), impatient);
    await using session = await open(place, { slow: external({ name: 'slow', ...everything, ...limits }) });
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({ text: expect.stringContaining('Long running operation completed') });
  });

  it('is the `timeout` of a server that it dials, where that has one; progress does not begin it anew', async () => {
    await using place = await stage([], impatient);
    await using session = await open(place, { slow: everything, patient: { ...everything, timeout: 60_000 } });
    await session.mcp.ready();
    const call = async (server: string): Promise<unknown> =>
      await session.mcp.call(server, 'trigger-long-running-operation', longer, { timeoutMs: 60_000 });
    const [slow, patient] = await Promise.allSettled([call('slow'), call('patient')]);
    expect(slow).toMatchObject({ reason: { message: expect.stringContaining('timed out after 1s') } });
    expect(patient).toMatchObject({ value: { content: [{ text: expect.stringContaining('completed') }] } });
  });
});

withCli('#28 The timeout of a server in this process', () => {
  const signals: AbortSignal[] = [];
  const stuck = tool('stuck', 'd', {}, async (_, { signal }) => {
    signals.push(signal);
    return await new Promise<never>(() => {});
  });
  const mine = createSdkMcpServer({ name: 'mine', tools: [stuck], timeout: 300 });
  const other = createSdkMcpServer({ name: 'other' });

  it.each<[string, Readonly<Record<string, AnyServer>>, (session: Session) => Promise<unknown>]>([
    ['although the CLI ignores one of less than a second', { mine }, async () => {}],
    [
      'although the CLI ignores that of one that comes while the session runs',
      { other },
      async (session) => (await session.mcp.setServers({ other, mine }), await session.mcp.ready()),
    ],
  ])('ends a call, %s', async (_, servers, prepare) => {
    await using place = await stage(callOnce('mcp__mine__stuck', {}));
    await using session = await open(place, { ...servers });
    await prepare(session);
    const outcome = await session.send('go').result;
    expect(outcome).toMatchObject({
      text: expect.stringContaining('The tool stuck of the MCP server mine did not answer within 300 ms.'),
    });
    expect(signals.pop()?.aborted).toBe(true);
  });
});
