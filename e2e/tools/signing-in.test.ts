import { createSdk, type Session, type AnyServer } from '@hexagent/sdk';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { stage, type Stage } from '../support/stage.ts';
import { callOnce } from '../support/tool-calls.ts';
import { guardedServer, returnAddress } from './guarded-server.ts';

const open = (place: Stage, servers: Readonly<Record<string, AnyServer>>): Promise<Session> =>
  createSdk({ onWarning: () => {} }).openSession({
    ...place.options,
    tools: [servers],
    permissions: { allow: ['mcp__tickets'] },
  });

const listening = { timeout: 30_000, interval: 20 };

withCli('#13 A server that the agent dials and that needs a person to sign in', () => {
  it.each(['http', 'sse'] as const)('is reported with its remedy, reached by %s', async (type) => {
    await using guarded = await guardedServer();
    await using place = await stage(['Done.']);
    await using session = await open(place, { tickets: { type, url: guarded.url } });
    const remedy = "session.mcp.signIn('tickets')";
    const state = { name: 'tickets', state: 'needs-auth', isHosted: false, error: expect.stringContaining(remedy) };
    await expect(session.mcp.ready()).rejects.toMatchObject({
      name: 'McpNotReady',
      message: expect.stringContaining(`tickets is needs-auth: It needs a person to sign in. ${remedy}`),
      servers: [state],
    });
    expect(await session.mcp.status()).toEqual([state]);
    await expect(session.mcp.reconnect('tickets')).rejects.toThrow('needs-auth');
  });

  it.each([
    ['comes back to the agent', async (_: Session, address: string) => void (await fetch(address))],
    [
      'comes back to another machine, and the program hands on the address',
      async (session: Session, callbackUrl: string) => {
        await session.mcp.finishSignIn('tickets', callbackUrl);
        expect(await session.mcp.status()).toMatchObject([{ state: 'connected' }]);
        const again = session.mcp.finishSignIn('tickets', callbackUrl);
        await expect(again).rejects.toMatchObject({ code: 'REQUEST_FAILED' });
      },
    ],
  ])('is connected once the person %s', async (_, comeBack) => {
    await using guarded = await guardedServer();
    await using place = await stage(callOnce('mcp__tickets__secret', {}));
    const tickets = { type: 'http', url: guarded.url } as const;
    await using session = await open(place, { tickets });
    await expect(session.mcp.ready()).rejects.toThrow('tickets is needs-auth');
    const { authUrl = '', ...signIn } = await session.mcp.signIn('tickets');
    expect(signIn).toMatchObject({ requiresUserAction: true, callbackExpected: true });
    await comeBack(session, returnAddress(authUrl, guarded.code));
    const states = async (): Promise<unknown> => (await session.mcp.status()).map(({ state, error }) => [state, error]);
    await expect.poll(states, listening).toEqual([['connected', undefined]]);
    expect(await session.send('go').result).toMatchObject({ text: expect.stringContaining('come in') });
    // The tokens are kept: a later session asks no person.
    await using later = await open(place, { tickets });
    expect(await later.mcp.ready()).toMatchObject([{ state: 'connected', tools: ['secret'] }]);
    await later.mcp.signOut('tickets');
    await using last = await open(place, { tickets });
    await expect(last.mcp.ready()).rejects.toThrow('tickets is needs-auth');
  });

  it('has failed, with the reason, where the credentials of the program are refused', async () => {
    await using guarded = await guardedServer();
    await using place = await stage(['Done.']);
    const headers = { authorization: 'Bearer made-up' };
    await using session = await open(place, { tickets: { type: 'http', url: guarded.url, headers } });
    await expect(session.mcp.ready()).rejects.toMatchObject({
      servers: [{ state: 'failed', error: expect.stringContaining('HTTP 401') }],
    });
  });
});
