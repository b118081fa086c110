import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openSession, type AskAnswer, type PlanAsk, type ToolInputs } from '@hexagent/sdk';
import { toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import { expect } from 'vitest';
import { stage } from '../support/stage.ts';

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

/** Writes a plan, shows it, revises it once if the person asks for it, and does the work once it may. */
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

export interface Planned {
  readonly plans: readonly ToolInputs['ExitPlanMode'][];
  readonly asked: readonly string[];
  readonly modes: readonly unknown[];
  /** All that the model was sent at last. */
  readonly read: string;
  readonly made: boolean;
}

/** Runs a session in plan mode, whose plan goes to this handler. */
export async function planned(onPlan: (ask: PlanAsk) => AskAnswer): Promise<Planned> {
  await using place = await stage(planner);
  const [plans, asked, modes]: [ToolInputs['ExitPlanMode'][], string[], unknown[]] = [[], [], []];
  await using session = await openSession({
    ...place.options,
    permissions: { cliMode: 'plan' },
    onAsk: (ask) => {
      if (ask.kind === 'plan') return (plans.push(ask.input), onPlan(ask));
      if (ask.kind === 'call') asked.push(ask.tool);
      return { behavior: 'allow' };
    },
  });
  const turn = session.send('make it');
  for await (const message of turn)
    if (message.type === 'system' && message.subtype === 'status') modes.push(message.permissionMode);
  expect(await turn.result).toMatchObject({ kind: 'completed' });
  const read = JSON.stringify(place.loopback.requests.at(-1)?.body.messages);
  return { plans, asked, modes, read, made: existsSync(join(place.home.cwd, 'made')) };
}
