import { describe, expect, it } from 'vitest';
import { policyOf } from './policy-of.ts';

describe('A command that is made to keep the reader busy', () => {
  it.each([
    ['words', 'a '.repeat(50_000)],
    ['programs that run programs', 'sudo '.repeat(50_000)],
    ['shells in shells', 'sh -c '.repeat(20_000)],
    ['substitutions', 'echo $(a) '.repeat(5_000)],
    ['nested substitutions', '$('.repeat(20_000)],
    ['nested backticks', '`\\'.repeat(20_000)],
    ['quotes', '"\''.repeat(20_000)],
    ['options', 'zap ' + '-x '.repeat(20_000)],
    ['here-documents', 'cat <<E\n'.repeat(5_000)],
    ['braces', '{a,'.repeat(20_000)],
    ['open braces of variables', '${'.repeat(20_000)],
    ['lines of lists', 'a=(b c) '.repeat(50_000)],
    ['evaluated texts', 'x=${y:-$(z)}; echo $((x)) '.repeat(20_000)],
    ['values that may be commands', "a='x y z' ".repeat(40_000)],
    ['texts for shells', 'eval "a b"; '.repeat(40_000)],
  ])('of many %s takes no noticeable time', (_, command) => {
    const policy = policyOf({
      deny: ['Bash(zap *a*b*c* push *)', 'Bash(* * * * x)'],
      allow: ['Bash(zap * y *)'],
    });
    const begin = process.threadCpuUsage();
    expect(policy.decide({ tool: 'Bash', input: { command } }).why).toMatch(/\.$/);
    const { user, system } = process.threadCpuUsage(begin); // a busy machine takes longer, and no more of these
    expect((user + system) / 1000).toBeLessThan(2_000); // some milliseconds, and hours where each way is tried
  });
});
