import { openSession, type SessionPermissions } from '@hexagent/sdk';
import { toolResults, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { shellCommands, type Shown } from '../../packages/domain/permissions/test/shell-commands.ts';
import { withCli } from '../support/cli.ts';
import { stage } from '../support/stage.ts';

const isRefused = /has been denied|requested permissions|haven't granted|requires approval|InputValidationError/;

/** Which of these commands the CLI runs when it has nothing but their rule, in as many turns as there are rules. */
async function runByTheCli(
  list: 'allow' | 'deny',
  shown: readonly Shown[],
  permissions: SessionPermissions,
): Promise<ReadonlySet<Shown>> {
  const ran = new Set<Shown>();
  let calls: readonly Shown[] = [];
  let hasCalled = false;
  await using place = await stage(
    (request) => {
      hasCalled = !hasCalled;
      if (hasCalled) return calls.map(({ command }) => toolUse('Bash', { command }));
      const results = toolResults(request).slice(-calls.length);
      for (const [index, { text }] of results.entries()) if (!isRefused.test(text)) ran.add(calls[index]!);
      return 'Done.';
    },
    { IS_SANDBOX: '1' },
  );
  // Without a policy of the session: the CLI alone decides.
  await using session = await openSession({ ...place.options, permissions });
  for (const [rule, ofRule] of Map.groupBy(shown, ({ rule }) => rule)) {
    await session.request('apply_flag_settings', { settings: { permissions: { [list]: [rule] } } });
    calls = ofRule;
    expect(await session.send(rule).result).toMatchObject({ kind: 'completed' });
  }
  return ran;
}

const withoutHidden = shellCommands.filter(({ hidden }) => hidden === undefined);
const textOf = ({ rule, command }: Shown): string => `${rule}: ${JSON.stringify(command)}`;

withCli('The rules of the SDK are at least as strict as those of the CLI:', () => {
  it('what an allow rule surely covers, the CLI runs by that rule', async () => {
    const shown = withoutHidden.filter(({ expected }) => expected === 'allowed' || expected === 'asked');
    const ran = await runByTheCli('allow', shown, { cliMode: 'default' });
    const allowed = shown.filter(({ expected }) => expected === 'allowed');
    expect(allowed.filter((row) => !ran.has(row)).map(textOf)).toEqual([]);
    expect(ran.size).toBeLessThan(shown.length);
  });

  it('what the CLI denies by a deny rule, the SDK denies', async () => {
    const shown = withoutHidden.filter(({ expected }) => expected === 'denied' || expected === 'passed');
    const ran = await runByTheCli('deny', shown, { cliMode: 'bypassPermissions', allowBypass: true });
    const passed = shown.filter(({ expected }) => expected === 'passed');
    expect(passed.filter((row) => !ran.has(row)).map(textOf)).toEqual([]);
    // What is denied here only, and would run there.
    const stricter = shown.filter((row) => row.expected === 'denied' && ran.has(row));
    expect(stricter.map(({ command }) => command)).toEqual(expect.arrayContaining(['sh -c "zap x"', 'za* x']));
  });
});
