import { fileURLToPath } from 'node:url';
import { lastUserText, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';
import { stage, type Stage } from '../support/stage.ts';
import type { Visits } from './visits.ts';

const hexagent = fileURLToPath(new URL('../../packages/sdk/src/hexagent.ts', import.meta.url));
const program = fileURLToPath(new URL('fixtures/inspected-program.ts', import.meta.url));
/** Where `@hexagent/inspector` is installed. */
const project = fileURLToPath(new URL('../', import.meta.url));

const node = ['--conditions=@hexagent/source'];

function script(request: ModelRequest): TurnLike {
  const isSubagent = JSON.stringify(request.body.messages[0]).includes('SUBPROMPT');
  if (toolResults(request).length > 0) return isSubagent ? 'The subagent is done.' : 'Done.';
  if (isSubagent) return toolUse('Bash', { command: 'echo from the subagent' });
  const prompt = lastUserText(request);
  if (prompt.includes('delegate'))
    return toolUse('Agent', {
      description: 'Looks around',
      prompt: 'SUBPROMPT',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
  return toolUse('Bash', { command: prompt.includes('remove') ? 'rm made' : 'touch made' });
}

/** The address that the program prints with its first agent. */
async function addressOf(running: RunningProgram): Promise<string> {
  await running.shows('#token=');
  return /Inspector: (http:\S+)/.exec(running.output)?.[1] ?? '';
}

/** The program, run by the command. */
function run({ options, env }: Stage): RunningProgram {
  const command = [process.execPath, ...node, program, JSON.stringify(options)];
  return runWithPipes([...node, hexagent, 'inspect', '--', ...command], { cwd: project, env });
}

const frames = (page: Page) => page.getByRole('listbox', { name: 'Frames' });
const frame = (page: Page, text: RegExp | string) => frames(page).getByRole('option').filter({ hasText: text });

/** The real program under the real command, with agents of both doors. */
export function inspected({ visit, picture }: Visits): void {
  it('shows who denied a tool, what a subagent did, what is waited for, and who allowed it', async () => {
    await using scene = await stage(script);
    await using running = run(scene);
    const { page, errors } = await visit(await addressOf(running));
    const waits = page.getByRole('button', { name: /Agent 1: Bash waits for the program to allow or deny it, for/ });
    await waits.waitFor();
    await picture(page, 'inspector-waiting');
    expect(await page.getByRole('button', { name: /^Agent \d, / }).count()).toBe(2);

    const search = page.getByRole('searchbox', { name: 'Search frames' });
    await search.fill('Nothing is removed');
    await frame(page, /answer.*denied by the program after/).click();
    const details = page.getByRole('region', { name: 'Details' });
    await details.getByText('the program: Nothing is removed here.').waitFor();
    await details.getByRole('heading', { name: 'Bash: denied' }).waitFor();
    await picture(page, 'inspector-denied');

    await search.fill('echo from the subagent');
    await frame(page, /^\S+←assistantBash echo/).click();
    await details.getByText('Agent Looks around').waitFor();
    await details.getByRole('heading', { name: 'Bash: done' }).waitFor();
    await details.getByRole('button', { name: 'Agent Looks around' }).click();
    await details.getByText(/general-purpose, completed after/).waitFor();
    // What is opened by a link is shown, although the filter hid it.
    expect(await search.inputValue()).toBe('');

    await waits.click();
    await details.getByText('Waits').waitFor();
    running.type('allow\n');
    await waits.waitFor({ state: 'detached' });
    // What is open is drawn again with its answer.
    await details.getByRole('button', { name: 'allowed' }).waitFor();
    await details.getByRole('heading', { name: 'Bash: done' }).waitFor();
    await running.shows('all done');
    await page.getByRole('button', { name: 'Follow' }).click();
    await frame(page, 'result').last().waitFor();

    expect(errors).toEqual([]);
    running.type('\n');
    expect(await running.exitCode).toBe(0);
    await page.getByText('Not connected').waitFor();
    await frame(page, 'exited with 0').last().waitFor();
    expect(running.output).not.toContain('HexagentWarning');
  });
}
