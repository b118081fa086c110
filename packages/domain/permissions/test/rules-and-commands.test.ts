import { describe, expect, it } from 'vitest';
import { policyOf } from './policy-of.ts';

const decide = (command: string, deny: string): string =>
  policyOf({ deny: [deny], mode: 'allow' }).decide({ tool: 'Bash', input: { command } }).decision;

describe('A deny rule for a program with its folder', () => {
  it.each(['./deploy x', 'bin/../deploy x', '/srv/app/deploy x', 'deploy x', 'sh deploy x', '. ./deploy x'])(
    'covers the other ways to name it: %s',
    (command) => {
      expect(decide(command, 'Bash(./deploy *)')).toBe('deny');
      expect(decide('./deployed x', 'Bash(./deploy *)')).toBe('allow');
    },
  );
});

describe('A rule for a command', () => {
  it('states why it matches where its program is not to be seen', () => {
    const whyOf = (command: string): string =>
      policyOf({ deny: ['Bash(zap *)'] }).decide({ tool: 'Bash', input: { command } }).why;
    expect(whyOf('zap x')).toBe('Bash is denied by the rule "Bash(zap *)".');
    expect(whyOf('x=$(y); echo $((x))')).toBe(
      'Bash is denied by the rule "Bash(zap *)". The command may run anything: it evaluates text that is not known beforehand.',
    );
  });

  it('has what may be anything asked about, and allows nothing of it', () => {
    const call = { tool: 'Bash', input: { command: 'printf -v "$x" y' } };
    expect(policyOf({ ask: ['Bash(zap *)'], allow: ['Bash'] }).decide(call).decision).toBe('ask');
    expect(policyOf({ allow: ['Bash(printf *)'] }).decide(call).decision).toBe('ask');
  });
});
