import { afterEach, describe, expect, it, vi, type Mock } from 'vitest';
import { createSdk, openSession, type ObservedEvent, type Parts, type SessionOptions } from '@hexagent/sdk';
import type { Warning } from '@hexagent/ports';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';

const calls = (): Parts['transport'] =>
  linkedTransport(scriptedAgent({ turns: () => [reply.tool('Bash', {}, { asks: true }), 'Done.'] })).transport;

/** What reaches the process, without reaching the terminal of the test. */
const emitted = (): Mock => vi.spyOn(process, 'emitWarning').mockImplementation(() => {});

afterEach(() => void vi.restoreAllMocks());

describe('A callback that is never called', () => {
  const warningsOf = async (options: SessionOptions): Promise<readonly Warning[]> => {
    const seen: Warning[] = [];
    const sdk = createSdk({ transport: calls(), onWarning: (warning) => void seen.push(warning) });
    await (await sdk.openSession(options)).close();
    return seen;
  };
  const approver = (): null => null;

  it.each<[string, SessionOptions, string]>([
    ['an approver whom the mode keeps from being asked', { permissions: { approver, cliMode: 'dontAsk' } }, 'approver'],
    ['a dialog host without a kind', { dialogs: { kinds: [], show: async () => null } }, 'dialog host'],
  ])('is warned of: %s', async (_, options, words) => {
    expect(await warningsOf(options)).toMatchObject([
      { code: 'HEXAGENT_CALLBACK_UNREACHABLE', message: expect.stringMatching(`^The ${words} is never called: `) },
    ]);
  });

  it.each<[string, SessionOptions]>([
    ['rules answer for some tools', { permissions: { approver, allow: ['Bash', 'Read'] } }],
    [
      'the mode leaves questions to a person',
      { permissions: { approver, cliMode: 'bypassPermissions', allowBypass: true } },
    ],
  ])('is another thing than one that is called seldom: %s', async (_, options) => {
    expect(await warningsOf(options)).toEqual([]);
  });
});

describe('A callback that fails', () => {
  const broken = new Error('Broken.');
  const permissions = { approver: () => Promise.reject(broken) };

  it('warns the process once, with a code, its name and its stack, however often it fails', async () => {
    const warnings = emitted();
    const session = await openSession({ transport: calls(), permissions });
    await session.send('one').result;
    await session.send('two').result;
    await session.close();
    expect(warnings).toHaveBeenCalledExactlyOnceWith(
      'The permission callback failed, and the agent was told: Broken.',
      { type: 'HexagentWarning', code: 'HEXAGENT_CALLBACK_FAILED', detail: broken.stack },
    );
  });

  it('is told to a listener of the program’s own, each time', async () => {
    const warnings = emitted();
    const seen: Warning[] = [];
    const sdk = createSdk({ transport: calls(), onWarning: (warning) => void seen.push(warning) });
    const session = await sdk.openSession({ permissions });
    await session.send('one').result;
    await session.send('two').result;
    await session.close();
    expect(seen).toMatchObject([
      { code: 'HEXAGENT_CALLBACK_FAILED', source: 'permission callback', cause: broken },
      { code: 'HEXAGENT_CALLBACK_FAILED', source: 'permission callback', cause: broken },
    ]);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('is left to the observer where there is one', async () => {
    const warnings = emitted();
    const seen: ObservedEvent[] = [];
    const sdk = createSdk({ transport: calls(), observer: { observe: (event) => void seen.push(event) } });
    const session = await sdk.openSession({ permissions: { approver: () => Promise.reject(broken) } });
    await session.send('one').result;
    await session.close();
    expect(seen.filter(({ kind }) => kind === 'callback_failed')).toHaveLength(1);
    expect(warnings).not.toHaveBeenCalled();
  });

  it('warns of an observer that fails', async () => {
    const warnings = emitted();
    const sdk = createSdk({ transport: calls(), observer: { observe: () => Promise.reject(broken) as never } });
    const session = await sdk.openSession();
    await session.send('one').result;
    await session.close();
    expect(warnings).toHaveBeenCalledExactlyOnceWith('The observer failed: Broken.', expect.anything());
  });
});
