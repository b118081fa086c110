import { describe, expect, it } from 'vitest';
import type { CommandReader, HookInput, PermissionRequest } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { allow, Asks, EnforcedPolicy, PermissionPolicy, PermissionService, readOnce } from '../src/index.ts';
import { context, request } from './requests.ts';
import { commands } from './policy-of.ts';

interface World {
  readonly policy: PermissionPolicy;
  /** The texts that were read since the rules were. */
  readonly read: string[];
  hook(call: PermissionRequest): Promise<unknown>;
  decide(call: PermissionRequest): Promise<unknown>;
}

function worldOf(
  ofSession: (reader: CommandReader) => CommandReader = (reader) => reader,
  meanwhile = (): void => {},
): World {
  const read: string[] = [];
  const reader = ofSession({ read: (text, shell) => (read.push(text), commands.read(text, shell)) });
  const policy = new PermissionPolicy({
    commands: reader,
    deny: ['Bash(rm *)', 'Read(secret/**)'],
    ask: ['Bash(git push *)'],
  });
  const own = new EnforcedPolicy(policy).hooks({}).PreToolUse?.[0]?.hooks[0];
  const approver = (): ReturnType<typeof allow> => (meanwhile(), allow());
  const asks = new Asks({ approver, clock: new HandClock(0), surroundings: { commands: reader } });
  const gate = new PermissionService({ commands: reader, policy, approver: asks.ask });
  read.splice(0);
  return {
    policy,
    read,
    hook: async ({ tool_name, input: tool_input, tool_use_id }) => {
      const input = { hook_event_name: 'PreToolUse', tool_name, tool_input, tool_use_id, cwd: '/w' };
      return await own?.(input as HookInput as never, tool_use_id, undefined as never);
    },
    decide: (call) => gate.decide(call, context),
  };
}

const touch = request('Bash', { input: { command: 'touch a' } });
const suggesting = request('Bash', {
  input: { command: 'touch a' },
  permission_suggestions: [
    {
      type: 'addRules',
      rules: [{ toolName: 'Bash', ruleContent: 'touch *' }],
      behavior: 'allow',
      destination: 'session',
    },
  ],
});

describe('A call that a hook has judged', () => {
  it('is not judged again when the agent requests permission for it, and not after the approver', async () => {
    const { read, hook, decide } = worldOf();
    await hook(touch);
    expect(await decide(touch)).toEqual({ behavior: 'allow' });
    expect(read).toEqual(['touch a']);
  });

  it.each<[string, (world: World) => void]>([
    ['a rule was added', ({ policy }) => policy.add({ deny: ['Bash(touch *)'] })],
    ['the mode was set', ({ policy }) => policy.setMode('deny')],
  ])('is judged again once %s', async (_, change) => {
    const world = worldOf();
    await world.hook(touch);
    change(world);
    expect(await world.decide(touch)).toMatchObject({ behavior: 'deny' });
  });

  it('is judged again when the policy changes while the approver is asked', async () => {
    const world: World = worldOf(undefined, () => world.policy.add({ deny: ['Bash(touch *)'] }));
    await world.hook(touch);
    expect(await world.decide(touch)).toMatchObject({ behavior: 'deny' });
  });

  it.each([
    ['another command', request('Bash', { input: { command: 'rm a' } })],
    ['another tool', request('Read', { input: { file_path: '/w/secret/k', command: 'touch a' } })],
  ])('is judged again when its id has %s now', async (_, call) => {
    const { hook, decide } = worldOf();
    await hook(touch);
    expect(await decide(call)).toMatchObject({ behavior: 'deny' });
  });

  it('is judged by a hook each time, for the folder that it names', async () => {
    const { read, hook } = worldOf();
    await hook(touch);
    await hook(touch);
    expect(read).toEqual(['touch a', 'touch a']);
  });

  it('keeps what the hook has found', async () => {
    const { read, hook, decide } = worldOf();
    const push = request('Bash', { input: { command: 'git push x' } });
    expect(await hook(push)).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    expect(await decide(push)).toEqual({ behavior: 'allow' });
    expect(read).toEqual(['git push x']);
  });

  it('is forgotten after a hundred others', async () => {
    const { read, hook, decide } = worldOf();
    await hook(touch);
    for (let count = 0; count < 100; count += 1) await hook({ ...touch, tool_use_id: `t${count}` });
    read.splice(0);
    await decide(touch);
    expect(read.length).toBeGreaterThan(0);
  });
});

describe('The text of a command', () => {
  it('is read once for the hook, the gate, what is suggested and the answer', async () => {
    const { read, hook, decide } = worldOf(readOnce);
    await hook(suggesting);
    await decide(suggesting);
    expect(read.filter((text) => text === 'touch a')).toEqual(['touch a']);
  });

  it('is read again for another shell, after many others, and when it is very long', () => {
    const read: string[] = [];
    const reader = readOnce({ read: (text, shell) => (read.push(text), commands.read(text, shell)) });
    for (const shell of ['bash', 'powershell', 'bash', 'powershell'] as const) reader.read('ls', shell);
    expect(read.splice(0)).toEqual(['ls', 'ls']);
    for (let count = 0; count < 32; count += 1) reader.read(`ls ${count}`, 'bash');
    read.splice(0);
    reader.read('ls', 'bash');
    expect(read.splice(0)).toEqual(['ls']);
    const long = `ls ${'x'.repeat(10_000)}`;
    for (let count = 0; count < 2; count += 1) reader.read(long, 'bash');
    expect(read).toHaveLength(2);
  });
});
