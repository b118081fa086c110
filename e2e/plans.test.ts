import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { approvePlan, openSession, revisePlan, type PlanHandler, type ToolInputs } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from './support/cli.ts';
import { stage } from './support/stage.ts';
import { expectWarnings } from './support/warnings.ts';

expectWarnings();

/** The file in which the agent is to keep its plan, from its prompt. */
function planFileIn({ body }: ModelRequest): string {
  const [path] = /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body)) ?? [];
  if (path === undefined) throw new Error('The prompt names no file for the plan.');
  return path;
}

/** The names of the tools that the model has called, in order. */
const callsIn = ({ body }: ModelRequest): readonly unknown[] =>
  body.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.flatMap((block) => (block.type === 'tool_use' ? [block['name']] : [])),
  );

/** Writes a plan, shows it, revises it once if it is told to, and does the work once it may. */
function planner(request: ModelRequest): TurnLike {
  const calls = callsIn(request);
  const shown = calls.filter((name) => name === 'ExitPlanMode').length;
  const isSentBack = toolResults(request).some(({ text }) => text.includes('not approved yet'));
  const write = toolUse('Write', { file_path: planFileIn(request), content: `# Plan ${shown + 1}` });
  switch (calls.at(-1)) {
    case undefined:
      return write;
    case 'Write':
      return toolUse('ExitPlanMode', {});
    case 'ExitPlanMode':
      if (!isSentBack) return toolUse('Bash', { command: 'touch made' });
      return shown === 1 ? write : 'I leave it.';
    default:
      return 'Made.';
  }
}

interface Run {
  readonly plans: readonly ToolInputs['ExitPlanMode'][];
  readonly asked: readonly string[];
  readonly modes: readonly unknown[];
  /** All that the model was sent at last. */
  readonly read: string;
  readonly made: boolean;
}

async function run(onPlan: PlanHandler): Promise<Run> {
  await using place = await stage(planner);
  const [plans, asked, modes]: [ToolInputs['ExitPlanMode'][], string[], unknown[]] = [[], [], []];
  await using session = await openSession({
    ...place.options,
    permissions: {
      cliMode: 'plan',
      onPlan: (input, pending) => (plans.push(input), onPlan(input, pending)),
      approver: ({ tool_name }) => (asked.push(tool_name), { behavior: 'allow' }),
    },
  });
  const turn = session.send('make it');
  for await (const message of turn)
    if (message.type === 'system' && message.subtype === 'status') modes.push(message.permissionMode);
  expect(await turn.result).toMatchObject({ kind: 'completed' });
  const read = JSON.stringify(place.loopback.requests.at(-1)?.body.messages);
  return { plans, asked, modes, read, made: existsSync(join(place.home.cwd, 'made')) };
}

withCli('#37 A plan', () => {
  it('is shown with its text and its file, and approved as it is', async () => {
    const { plans, asked, modes, read, made } = await run((input) => approvePlan(input));
    expect(plans).toMatchObject([{ plan: '# Plan 1', planFilePath: expect.stringMatching(/\.md$/) }]);
    expect(read).toContain('User has approved your plan');
    expect(read).not.toContain('edited by user');
    expect(modes).toContain('default');
    expect(asked).toEqual(['Bash']); // the agent left plan mode, and asks as it does
    expect(made).toBe(true);
  });

  it('is approved as the person edited it, which the model reads', async () => {
    const { read } = await run((input) => approvePlan(input, { plan: '# Only this' }));
    expect(read).toContain('edited by user');
    expect(read).toContain('# Only this');
  });

  it.each(['acceptEdits', 'dontAsk', 'auto', 'default'] as const)(
    'is approved with a mode to go on in: %s',
    async (mode) => {
      const { modes } = await run((input) => approvePlan(input, { mode }));
      expect(modes.at(-1)).toBe(mode);
    },
  );

  it('is revised by the feedback of the person, and shown again', async () => {
    let shown = 0;
    const { plans, read, made } = await run((input) => {
      shown += 1;
      return shown === 1 ? revisePlan('Use another colour.') : approvePlan(input);
    });
    expect(plans.map(({ plan }) => plan)).toEqual(['# Plan 1', '# Plan 2']);
    expect(read).toContain('What to change: Use another colour.');
    expect(made).toBe(true);
  });

  it('that is not approved leaves the agent in plan mode', async () => {
    const { modes, made } = await run(() => revisePlan('No.'));
    expect(modes).not.toContain('default');
    expect(made).toBe(false);
  });
});
