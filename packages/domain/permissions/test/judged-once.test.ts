import { describe, expect, it } from 'vitest';
import type { CommandReader, HookInput } from '@hexagent/ports';
import { HandClock } from '@hexagent/testing';
import { allow, Asks, EnforcedPolicy, PermissionPolicy, PermissionService, readOnce } from '../src/index.ts';
import { context, request } from './requests.ts';
import { commands } from './policy-of.ts';

function countingReader() {
  const read: string[] = [];
  const reader: CommandReader = { read: (text, shell) => (read.push(text), commands.read(text, shell)) };
  return { read, reader: readOnce(reader) };
}

describe('The text of a command', () => {
  it('is read once for the hook, the gate, what is suggested and the answer', async () => {
    const { read, reader } = countingReader();
    const policy = new PermissionPolicy({ commands: reader, deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] });
    const hook = new EnforcedPolicy(policy).hooks({}).PreToolUse?.[0]?.hooks[0];
    const asks = new Asks({ approver: () => allow(), clock: new HandClock(0), environment: { commands: reader } });
    const gate = new PermissionService({ commands: reader, policy, approver: asks.ask });
    const rules = [{ toolName: 'Bash', ruleContent: 'touch *' }];
    const asked = request('Bash', {
      permission_suggestions: [{ type: 'addRules', rules, behavior: 'allow', destination: 'session' }],
    });
    const input = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: asked.input, cwd: '/w' };
    await hook?.(input as HookInput as never, 't', undefined as never);
    expect(await gate.decide(asked, context)).toEqual({ behavior: 'allow' });
    expect(read.filter((text) => text === 'touch a')).toEqual(['touch a']);
  });

  it('is read again for another shell, and after several others', () => {
    const { read, reader } = countingReader();
    for (const shell of ['bash', 'powershell', 'bash', 'powershell'] as const) reader.read('ls', shell);
    expect(read.splice(0)).toEqual(['ls', 'ls']);
    for (let count = 0; count < 8; count += 1) reader.read(`ls ${count}`, 'bash');
    read.splice(0);
    reader.read('ls', 'bash');
    expect(read).toEqual(['ls']);
  });
});
