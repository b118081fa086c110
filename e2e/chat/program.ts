import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { cli } from '../support/cli.ts';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';
import { stage } from '../support/stage.ts';
import { say, type Place } from './place.ts';

const chat = fileURLToPath(new URL('../../examples/chat/chat.ts', import.meta.url));

/** An upper bound for a busy machine: they start the program, its page and the agent. */
const timeout = 180_000;

/** The address that the program prints. */
async function addressOf(program: RunningProgram): Promise<string> {
  await program.shows('Ctrl-C ends it.');
  return /http:\S+/.exec(program.output)?.[0] ?? '';
}

export function program(place: Place): void {
  it('shows everything with the model that is a script, and leaves nothing behind', { timeout }, async () => {
    await using scene = await stage([], { CLAUDE_CODE_PATH: cli });
    const { home, env } = scene;
    await using running = runWithPipes(['--conditions=@hexagent/source', chat, '--no-open'], { cwd: home.cwd, env });
    const { page } = await place.visit(await addressOf(running));
    await say(page, 'Hello');
    await page.getByText('until you stop me').waitFor();
    await page.getByText('Thought about it').waitFor();
    await place.picture(page, 'menu');

    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await place.picture(page, 'note');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('The note is in note.txt.').waitFor();

    await say(page, 'Write a letter');
    await page.getByRole('radio', { name: /Warm/ }).check();
    await page.getByRole('checkbox', { name: /Trains/ }).check();
    await place.picture(page, 'letter');
    await page.getByRole('button', { name: 'Answer', exact: true }).click();
    await page.getByText('This is what I know now').waitFor();

    await say(page, 'Make a plan');
    await page.getByText('Mend what makes them wait').waitFor();
    await place.picture(page, 'plan-of-the-script');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Then that is what I do.').waitFor();

    await say(page, 'Send a helper');
    await page.getByText('The helper is back').waitFor();

    await say(page, 'Fail for once');
    await page.getByRole('alert').getByText('I was asked to fail.').waitFor();
    await place.picture(page, 'failed-turn');
    await page.getByRole('button', { name: 'Dismiss' }).click();

    await say(page, 'Count to one thousand');
    await page.getByText('1, 2, 3').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await place.picture(page, 'stopped');

    process.kill(running.pid, 'SIGINT');
    expect(await running.exitCode).toBe(130);
    expect(running.output).not.toContain('Warning');
    expect((await readdir(home.tmp)).filter((name) => name.startsWith('hexagent'))).toEqual([]);
    expect(processesMentioning(home.root)).toEqual([]);
  });

  it('prints its options, also after an unknown one', async () => {
    await using scene = await stage();
    const run = (...args: readonly string[]): RunningProgram =>
      runWithPipes(['--conditions=@hexagent/source', chat, ...args], { cwd: scene.home.cwd, env: scene.env });
    await using help = run('--help');
    expect(await help.exitCode).toBe(0);
    await using wrong = run('--fast');
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.output).toContain("Unknown option '--fast'");
    await using port = run('--port', 'many');
    expect(await port.exitCode).toBe(2);
    expect(port.output).toContain('--port many is no port');
    for (const { output } of [help, wrong, port]) expect(output).toContain('Usage: npm run chat');
  });

  it('goes on with a turn in which it was killed, when it is started again', { timeout }, async () => {
    await using scene = await stage([], { CLAUDE_CODE_PATH: cli });
    const { home, env } = scene;
    const folder = path.join(home.root, 'chat');
    await mkdir(folder);
    const start = (port: string): RunningProgram =>
      runWithPipes(['--conditions=@hexagent/source', chat, '--no-open', '--folder', folder, '--port', port], {
        cwd: home.cwd,
        env,
      });
    const first = start('0');
    const url = await addressOf(first);
    const { page } = await place.visit(url);
    await say(page, 'Hello');
    await page.getByText('until you stop me').waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await say(page, 'Count to one thousand');
    await page.getByText('1, 2, 3').waitFor();
    process.kill(first.pid, 'SIGKILL');
    await first.exitCode;
    await page.getByText('The connection is lost.').waitFor();
    await using second = start(new URL(url).port);
    await addressOf(second);
    await page.getByText('The connection is lost.').waitFor({ state: 'detached' });
    await page.getByText('until you stop me').waitFor();
    await page.getByText('1, 2, 3').waitFor();
    await place.picture(page, 'after-a-crash');
    expect(await page.getByRole('article', { name: 'You' }).allInnerTexts()).toEqual([
      'Hello',
      'Count to one thousand',
    ]);
    await page.getByRole('button', { name: 'Stop' }).click();
    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('The note is in note.txt.').waitFor();
  });
}
