import {
  allow,
  openSession,
  revisePlan,
  type Session,
  type SessionOptions,
  type SessionPermissions,
} from '@hexagent/sdk';
import { linkedTransport, scriptedAgent } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';

const open = (permissions?: SessionPermissions, options: SessionOptions = {}): Promise<Session> =>
  openSession({
    transport: linkedTransport(scriptedAgent()).transport,
    ...(permissions && { permissions }),
    ...options,
  });

describe('session.permissions', () => {
  it('lists mode and rules as they stand', async () => {
    const session = await open({ allow: ['Read'], ask: ['Write'], mode: 'deny' });
    expect(session.permissions.mode).toBe('deny');
    expect(session.permissions.rules).toEqual({ allow: ['Read'], deny: [], ask: ['Write'] });
    await session.permissions.setMode('ask');
    await session.permissions.add({ deny: ['WebFetch'] });
    await session.permissions.add({ ask: ['Edit'] });
    await session.permissions.remove({ allow: ['Read'], ask: ['Edit'] });
    expect(session.permissions.mode).toBe('ask');
    expect(session.permissions.rules).toEqual({ allow: [], deny: ['WebFetch'], ask: ['Write'] });
    await session.close();
  });

  it('explains how a call would be decided', async () => {
    const session = await open({ allow: ['Read'], deny: ['WebFetch'] }, { onAsk: () => allow() });
    const { explain } = session.permissions;
    expect(explain('Read')).toMatchObject({ decision: 'allow', by: { kind: 'rule', list: 'allow', rule: 'Read' } });
    expect(explain('WebFetch')).toMatchObject({ decision: 'deny', why: 'WebFetch is denied by the rule "WebFetch".' });
    expect(explain('Write', { file_path: 'a' })).toMatchObject({ decision: 'ask', by: { kind: 'nothing' } });
    await session.close();
  });

  it('explains that a call is denied for which no person can be asked', async () => {
    const session = await open({ allow: ['Read'] });
    expect(session.permissions.explain('Write')).toMatchObject({
      decision: 'deny',
      by: { kind: 'nothing' },
      why: 'No rule decides about Write. It is denied: there is nobody to ask.',
    });
    await session.close();
  });

  it('explains that questions, plans and calls go to the person', async () => {
    const session = await open({}, { onAsk: () => revisePlan('No.') });
    const decisions = ['ExitPlanMode', 'AskUserQuestion', 'Write'].map(
      (tool) => session.permissions.explain(tool).decision,
    );
    expect(decisions).toEqual(['ask', 'ask', 'ask']);
    await session.close();
  });

  it('names allow rules with content also where they were added later', async () => {
    const session = await open({}, { onAsk: () => allow() });
    const later =
      'The CLI has the allow rules with content, too. What it finds covered by one of them runs without asking.';
    expect(session.permissions.explain('Bash', { command: 'ls $HOME' }).besides).not.toContain(later);
    await session.permissions.add({ allow: ['Bash(ls *)'] });
    expect(session.permissions.explain('Bash', { command: 'ls $HOME' }).besides).toContain(later);
    await session.close();
  });

  it('names what it cannot foresee, and nothing where that changes nothing', async () => {
    const { transport } = linkedTransport(scriptedAgent());
    const session = await openSession({
      transport,
      settings: 'project',
      hooks: { PreToolUse: [{ hooks: [() => {}] }] },
      permissions: { allow: ['Bash(ls *)'], deny: ['Read'], cliMode: 'acceptEdits' },
    });
    const { explain } = session.permissions;
    expect(explain('Bash', { command: 'ls $HOME' }).besides).toEqual([
      'The CLI was started in its mode "acceptEdits". What it finds harmless, and changes of files in the working directory, run without asking. The mode may have changed since.',
      'The CLI has the allow rules with content, too. What it finds covered by one of them runs without asking.',
      'Of a command that a rule covers, the CLI asks about files outside the working directory, and about what it cannot check.',
      'Rules and hooks of settings files count too. The SDK does not read them.',
      'Hooks of the program may decide otherwise.',
    ]);
    expect(explain('Read', { file_path: 'a' }).besides).toEqual([]);
    await session.close();
  });

  it('explains that a rule for a command does not cover the file that its output is written to', async () => {
    const rules = ['Bash(echo "Hello, Ada" > note.txt)', 'Bash(npm test *)', 'Bash(touch a && touch b)'];
    const session = await open({ allow: rules }, { onAsk: () => allow() });
    const explain = (command: string) => session.permissions.explain('Bash', { command });
    const redirected =
      'A rule for a command does not cover the file that its output is written to: the CLI asks about that.';
    for (const command of ['echo "Hello, Ada" > note.txt', 'npm test > log.txt']) {
      expect(explain(command)).toMatchObject({ decision: 'cli', by: { kind: 'nothing' } });
      expect(explain(command).besides).toContain(redirected);
    }
    // The CLI compares the parts of a command with rules.
    expect(explain('touch a && touch b')).toMatchObject({ decision: 'cli' });
    const { decision, besides } = explain('npm test 2>&1');
    expect(decision).toBe('allow');
    expect(besides).not.toContain(redirected);
    expect(besides).toContain('The session reads no settings files: rules that are stored there have no effect.');
    await session.close();
  });

  it('of a session without a policy can be read and not changed, and the message names what to pass', async () => {
    const session = await open();
    const { permissions } = session;
    expect([permissions.mode, permissions.rules]).toEqual(['ask', { allow: [], deny: [], ask: [] }]);
    expect(permissions.explain('Bash', { command: 'ls' })).toMatchObject({ decision: 'cli' });
    for (const change of [permissions.setMode('deny'), permissions.add({ deny: ['Bash'] }), permissions.remove({})])
      await expect(change).rejects.toThrow('Open it with `permissions: { mode: "ask" }` to change the policy later.');
    await session.close();
  });

  it.each<[(session: Session) => unknown, string]>([
    [({ permissions }) => permissions.setMode('plan' as never), '`mode` "plan" is a mode of the CLI.'],
    [
      ({ permissions }) => permissions.setMode('on' as never),
      '`mode` must be one of "ask", "allow", "deny", not "on".',
    ],
    [({ permissions }) => permissions.add({ alow: ['Read'] } as never), '`rules.alow` is not known.'],
    [({ permissions }) => permissions.add({ deny: ['bash'] }), '`rules.deny[0]` names "bash"'],
    [({ permissions }) => permissions.add({ deny: ['Bash('] }), '`permissions.deny[0]` is a text that is no rule'],
    [({ permissions }) => permissions.remove({ deny: ['Bash'] }), '`permissions.deny[0]` is not among the rules'],
    [async ({ permissions }) => permissions.explain('bash'), '`tool` names "bash"'],
    [async ({ permissions }) => permissions.explain('Bash', 'ls' as never), '`input` must be a plain object'],
  ])('throws for invalid arguments: %s', async (call, message) => {
    const session = await open({ mode: 'ask' });
    await expect(call(session)).rejects.toThrow(message);
    await session.close();
  });

  it.each(['plan', 'acceptEdits'])(
    'refuses a mode of the CLI in place of its own, and names the option: %s',
    async (mode) => {
      await expect(open({ mode: mode as never })).rejects.toThrow(
        `\`permissions.mode\` "${mode}" is a mode of the CLI. Pass it as \`permissions.cliMode\`.`,
      );
    },
  );
});
