import { describe, expect, it } from 'vitest';
import type { CommandReader, HookInput, PermissionRequest } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { allow, Asks, EnforcedPolicy, PermissionPolicy, PermissionService, readOnce } from '../src/index.ts';
import { context, request } from './requests.ts';
import { commands } from './policy-of.ts';

interface World {
  readonly policy: PermissionPolicy;
  /** The texts that were read since the rules were. A call of a shell is read once for each judgement. */
  readonly read: string[];
  hook(call: PermissionRequest): Promise<unknown>;
  decide(call: PermissionRequest): Promise<unknown>;
}

interface Circumstances {
  readonly ofSession?: (reader: CommandReader) => CommandReader;
  /** Answers in place of the approver. */
  readonly answer?: () => ReturnType<typeof allow>;
}

function worldOf({ ofSession = (reader) => reader, answer = () => allow() }: Circumstances = {}): World {
  const read: string[] = [];
  const reader = ofSession({ read: (text, shell) => (read.push(text), commands.read(text, shell)) });
  const deny = [
    'Bash(rm *)',
    'Read(//w/secret/**)',
    'WebFetch(domain:x.com)',
    'Agent(spy)',
    'Skill(pay *)',
    'Skill(run it)',
  ];
  const policy = new PermissionPolicy({ commands: reader, deny, ask: ['Bash(git push *)'] });
  const own = new EnforcedPolicy(policy).hooks({}).PreToolUse?.[0]?.hooks[0];
  const asks = new Asks({ onAsk: answer, clock: new HandClock(0), environment: { commands: reader } });
  const gate = new PermissionService({ commands: reader, policy, approver: asks.ask });
  read.splice(0);
  return {
    policy,
    read,
    hook: async ({ tool_name, input: tool_input, tool_use_id }) => {
      const input = { hook_event_name: 'PreToolUse', tool_name, tool_input, cwd: '/w' };
      return await own?.(input as HookInput as never, tool_use_id, undefined as never); // the hook uses no context
    },
    decide: (call) => gate.decide(call, context),
  };
}

const bash = (command: string): PermissionRequest => request('Bash', { input: { command } });

describe('A call that the hook has judged', () => {
  it('is judged neither when the agent requests permission for it, nor after the approver', async () => {
    const { read, hook, decide } = worldOf();
    await hook(bash('touch a'));
    expect(await decide(bash('touch a'))).toEqual({ behavior: 'allow' });
    expect(read).toEqual(['touch a']);
  });

  it('has the ask rule that the hook found', async () => {
    const { read, hook, decide } = worldOf();
    expect(await hook(bash('git push x'))).toMatchObject({ hookSpecificOutput: { permissionDecision: 'ask' } });
    expect(await decide(bash('git push x'))).toEqual({ behavior: 'allow' });
    expect(read).toEqual(['git push x']);
  });

  it.each<[string, (policy: PermissionPolicy) => void]>([
    ['a rule was added', (policy) => policy.add({ deny: ['Bash(touch *)'] })],
    ['the mode was set', (policy) => policy.setMode('deny')],
  ])('is judged again once %s', async (_, change) => {
    const { policy, hook, decide } = worldOf();
    await hook(bash('touch a'));
    change(policy);
    expect(await decide(bash('touch a'))).toMatchObject({ behavior: 'deny' });
  });

  it.each<[string, Partial<PermissionRequest>]>([
    ['another command', { input: { command: 'rm a' } }],
    ['a list in place of the command', { input: { command: ['rm', 'a'] } }],
    ['another tool', { tool_name: 'Read', input: { command: 'touch a', file_path: '/w/secret/k' } }],
  ])('is judged again when its id has %s', async (_, fields) => {
    const { hook, decide } = worldOf();
    await hook(bash('touch a'));
    expect(await decide({ ...bash('touch a'), ...fields })).toMatchObject({ behavior: 'deny' });
  });

  it.each<[string, object, object]>([
    ['Read', { file_path: '/w/a' }, { file_path: '/w/secret/a' }],
    ['Read', { notebook_path: '/w/a' }, { notebook_path: '/w/secret/a' }],
    ['Read', { path: '/w/a' }, { path: '/w/secret/a' }],
    ['WebFetch', { url: 'https://a.com' }, { url: 'https://x.com' }],
    ['Agent', { subagent_type: 'a' }, { subagent_type: 'spy' }],
    ['Skill', { skill: 'a' }, { skill: 'pay me' }],
    ['Skill', { skill: 'paid' }, { skill: 'pay', args: 'me' }],
    ['Skill', { skill: 'run', args: 'me' }, { skill: 'run', args: 'it' }],
  ])('is judged again when another %s has its id: %j, not %j', async (tool, first, second) => {
    const { hook, decide } = worldOf();
    expect(await hook(request(tool, { input: { ...first } }))).toBeUndefined();
    expect(await decide(request(tool, { input: { ...second } }))).toMatchObject({ behavior: 'deny' });
  });

  it('is judged again when a hook has changed its input in place', async () => {
    const { hook, decide } = worldOf();
    const call = bash('touch a');
    await hook(call);
    Object.assign(call.input, { command: 'rm a' });
    expect(await decide(bash('rm a'))).toMatchObject({ behavior: 'deny' });
  });

  it('is forgotten after a hundred others', async () => {
    const { read, hook, decide } = worldOf();
    await hook(bash('touch a'));
    for (let count = 0; count < 100; count += 1) await hook({ ...bash('touch a'), tool_use_id: `t${count}` });
    read.splice(0);
    await decide(bash('touch a'));
    expect(read).toEqual(['touch a']);
  });
});

describe('A call that the approver has allowed', () => {
  it('is judged again when the policy has changed meanwhile', async () => {
    const answer = (): ReturnType<typeof allow> => (world.policy.add({ deny: ['Bash(touch *)'] }), allow());
    const world: World = worldOf({ answer });
    await world.hook(bash('touch a'));
    expect(await world.decide(bash('touch a'))).toMatchObject({ behavior: 'deny' });
  });

  it('is judged again with the input that the approver has changed', async () => {
    const { hook, decide } = worldOf({ answer: () => allow({ input: { url: 'https://x.com' } }) });
    const fetch = request('WebFetch', { input: { url: 'https://a.com' } });
    await hook(fetch);
    expect(await decide(fetch)).toMatchObject({ behavior: 'deny' });
  });
});

describe('The text of a command', () => {
  it('is read once for the hook, the gate, what is suggested and the answer', async () => {
    const { read, hook, decide } = worldOf({ ofSession: readOnce });
    const rules = [{ toolName: 'Bash', ruleContent: 'touch *' }];
    const asked = request('Bash', {
      permission_suggestions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
    });
    await hook(asked);
    expect(await decide(asked)).toEqual({ behavior: 'allow' });
    expect(read.filter((text) => text === 'touch a')).toEqual(['touch a']);
  });

  it('is read again for another shell, and after several others', () => {
    const read: string[] = [];
    const reader = readOnce({ read: (text, shell) => (read.push(text), commands.read(text, shell)) });
    for (const shell of ['bash', 'powershell', 'bash', 'powershell'] as const) reader.read('ls', shell);
    expect(read.splice(0)).toEqual(['ls', 'ls']);
    for (let count = 0; count < 8; count += 1) reader.read(`ls ${count}`, 'bash');
    read.splice(0);
    reader.read('ls', 'bash');
    expect(read).toEqual(['ls']);
  });
});
