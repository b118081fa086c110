import { afterEach, describe, expect, it, vi, type Mock } from 'vitest';
import {
  createSdk,
  createSdkMcpServer,
  openSession,
  tool,
  toolResult,
  type ObservedEvent,
  type Parts,
  type SessionOptions,
} from '@hexagent/sdk';
import { createQuery, type Options } from '@hexagent/sdk/claude-agent-sdk';
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
  const onAsk = (): null => null;

  it.each<[string, SessionOptions, string]>([
    [
      'an approver whom the mode keeps from being asked',
      { permissions: { cliMode: 'dontAsk' }, onAsk },
      'handler `onAsk`',
    ],
    ['the same by a flag', { onAsk, extraArgs: { 'permission-mode': 'dontAsk' } }, 'handler `onAsk`'],
    [
      'the same by settings',
      { onAsk, extraArgs: { settings: '{"permissions":{"defaultMode":"dontAsk"}}' } },
      'handler `onAsk`',
    ],
    [
      'an approver where every tool is allowed',
      { permissions: { allow: ['Bash(*)', 'Read'] }, onAsk, tools: ['Read', 'Bash'] },
      'handler `onAsk`',
    ],
  ])('is warned of: %s', async (_, options, words) => {
    expect(await warningsOf(options)).toMatchObject([
      { code: 'HEXAGENT_CALLBACK_UNREACHABLE', message: expect.stringMatching(`^The ${words} is never called: `) },
    ]);
    await expect(warningsOf({ ...options, strict: true })).rejects.toThrow(
      new RegExp(`^The ${words} is never called: .* Without \`strict\` this is a warning\\.$`),
    );
  });

  const own = tool('add', 'Adds', {}, () => toolResult.text('3'));

  it('is warned of where it is a tool that nothing allows: only the model would learn of it', async () => {
    const message =
      'The tools made by tool() that nothing allows are never called: add. Set `permissions.allowOwnTools`, allow them by a rule, or pass `onAsk`.';
    for (const permissions of [undefined, {}, { allow: ['Read'] }, { cliMode: 'acceptEdits' }] as const)
      expect(await warningsOf({ tools: [own], permissions })).toMatchObject([{ message }]);
    await expect(warningsOf({ tools: [own], strict: true })).rejects.toThrow(message);
  });

  it('is warned of where it is a tool of a server in this process that nothing allows', async () => {
    const sums = createSdkMcpServer({ name: 'sums', tools: [own, tool('times', 'Multiplies', {}, own.handler)] });
    const message = (tools: string): string =>
      `The tools of the MCP server sums that nothing allows are never called: ${tools}. Allow them by a rule, or pass \`onAsk\`.`;
    const warnings = async (options: SessionOptions) => await warningsOf({ tools: [{ sums }], ...options });
    expect(await warnings({})).toMatchObject([{ message: message('add, times') }]);
    expect(await warnings({ permissions: { allow: ['mcp__sums__add'] } })).toMatchObject([
      { message: message('times') },
    ]);
    expect(await warnings({ permissions: { allow: ['mcp__sums'] } })).toEqual([]);
    const tools = ['add', 'times'].map((name) => ({ name, permission_policy: 'always_allow' as const }));
    expect(await warningsOf({ tools: [{ sums: { ...sums, tools } }] })).toEqual([]);
  });

  it.each<[string, SessionOptions]>([
    ['allowed', { permissions: { allowOwnTools: true } }],
    ['allowed by a rule', { permissions: { allow: ['mcp__own__add'] } }],
    ['allowed by the mode', { permissions: { mode: 'allow' } }],
    ['denied by a rule on purpose', { permissions: { deny: ['mcp__own__add'] } }],
    ['decided about by an approver', { onAsk }],
    ['decided about by hooks', { hooks: { PreToolUse: [{ hooks: [() => ({})] }] } }],
    ['perhaps allowed by settings', { settings: 'project' }],
    ['let run by the CLI', { permissions: { cliMode: 'bypassPermissions', allowBypass: true } }],
  ])('is not a tool that is %s', async (_, options) => {
    expect(await warningsOf({ tools: [own], ...options })).toEqual([]);
  });

  const bypass: SessionOptions = { permissions: { cliMode: 'bypassPermissions', allowBypass: true }, onAsk };

  it('is not one that is called for questions alone: it may be meant for these', async () => {
    expect(await warningsOf({ ...bypass, strict: true })).toEqual([]);
    expect(await warningsOf({ extraArgs: { 'dangerously-skip-permissions': null }, onAsk, strict: true })).toEqual([]);
  });

  it('is not one for which settings answer in a part of the calls, and a warning reports that', async () => {
    const settings = JSON.stringify({ permissions: { allow: ['Bash', 'Read(//etc/**)', 5] } });
    expect(await warningsOf({ onAsk, extraArgs: { settings } })).toMatchObject([
      { message: expect.stringMatching(/^The handler `onAsk` is not called for Bash: allow rules let every call/) },
    ]);
  });

  it.each<[string, SessionOptions]>([
    ['an option outranks them', { permissions: { cliMode: 'default' }, onAsk }],
    ['they ask too', { permissions: { cliMode: 'bypassPermissions', allowBypass: true }, onAsk }],
  ])('is not assumed because of settings where %s', async (_, options) => {
    const settings = JSON.stringify({ permissions: { defaultMode: 'dontAsk', ask: ['Bash'] } });
    expect(await warningsOf({ ...options, extraArgs: { settings } })).toEqual([]);
  });

  it('#2 is reported in the same words by the drop-in', async () => {
    const pairs: readonly [SessionOptions, Options][] = [
      [{ permissions: { cliMode: 'dontAsk' }, onAsk }, { permissionMode: 'dontAsk' }],
      [{ permissions: { deny: ['*'] }, onAsk }, { disallowedTools: ['*'] }],
      [
        { onAsk, extraArgs: { settings: '{"permissions":{"allow":["Bash"]}}' } },
        { settings: { permissions: { allow: ['Bash'] } } },
      ],
      [
        { permissions: { allow: ['Read'] }, onAsk, tools: ['Read'] },
        { allowedTools: ['Read'], tools: ['Read'] },
      ],
    ];
    for (const [native, official] of pairs) {
      const [warning] = await warningsOf(native);
      const seen: Warning[] = [];
      const query = createQuery({ transport: calls(), onWarning: (warned) => void seen.push(warned) });
      const options = { ...official, canUseTool: async () => null };
      query({ prompt: 'go', options }).close();
      expect(seen.map(({ message }) => message.replace('canUseTool', 'The handler `onAsk`'))).toEqual([
        warning?.message,
      ]);
      expect(() => query({ prompt: 'go', options: { ...options, strict: true } })).toThrow(/Without `strict`/);
    }
  });

  it.each<[string, SessionOptions]>([
    ['rules answer for some tools', { permissions: { allow: ['Bash', 'Read'] }, onAsk }],
    ['there are other tools', { permissions: { allow: ['Read'] }, onAsk, tools: ['Read', 'Bash'] }],
    ['a server has tools', { permissions: { allow: ['Read'] }, onAsk, tools: ['Read', { s: { command: 's' } }] }],
    ['only a part of a tool is allowed', { permissions: { allow: ['Bash(ls *)'] }, onAsk, tools: ['Bash'] }],
    [
      'a rule does not answer questions',
      { permissions: { allow: ['AskUserQuestion'] }, onAsk, tools: ['AskUserQuestion'] },
    ],
  ])('is not one that is called seldom: %s', async (_, options) => {
    expect(await warningsOf({ ...options, strict: true })).toEqual([]);
  });
});

describe('A callback that fails', () => {
  const broken = new Error('Broken.');
  const onAsk = () => Promise.reject(broken);

  it('warns the process once, with a code, its name and its stack, however often it fails', async () => {
    const warnings = emitted();
    const session = await openSession({ transport: calls(), onAsk });
    await session.send('one').result;
    await session.send('two').result;
    await session.close();
    expect(warnings).toHaveBeenCalledExactlyOnceWith(
      'The permission callback failed, and the agent got the error: Broken.',
      { type: 'HexagentWarning', code: 'HEXAGENT_CALLBACK_FAILED', detail: broken.stack },
    );
  });

  it('goes to a listener of the program’s own, each time', async () => {
    const warnings = emitted();
    const seen: Warning[] = [];
    const sdk = createSdk({ transport: calls(), onWarning: (warning) => void seen.push(warning) });
    const session = await sdk.openSession({ onAsk });
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
    const session = await sdk.openSession({ onAsk: () => Promise.reject(broken) });
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
