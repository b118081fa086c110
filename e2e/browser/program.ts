import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';
import { expect, it } from 'vitest';
import { cli } from '../support/cli.ts';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';
import { stage } from '../support/stage.ts';
import { field, say, type Place } from './place.ts';

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
    await page.getByText('A script on this computer answers here').waitFor();
    await place.picture(page, 'first-screen');
    await say(page, 'Hello');
    await page.getByText('runs until you stop it').waitFor();
    await page.getByText('Thoughts').waitFor();
    await page.getByText('Offline script', { exact: true }).waitFor();
    expect(await page.getByText(/claude-|tokens|\$0/).count()).toBe(0);
    await place.picture(page, 'menu');

    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await place.picture(page, 'note');
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('I wrote the note to note.txt.').waitFor();

    await say(page, 'Write a letter');
    await page.getByRole('radio', { name: /Warm/ }).check();
    await page.getByRole('checkbox', { name: /Trains/ }).check();
    await place.picture(page, 'letter');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Here is what you told me').waitFor();

    await say(page, 'Make a plan');
    await page.getByText('Fix what makes them wait').waitFor();
    await place.picture(page, 'plan-of-the-script');
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Thanks, the plan is approved.').waitFor();

    await say(page, 'Start a subagent');
    await page.getByText('The subagent has finished').waitFor();

    await say(page, 'Fail once');
    await page.getByRole('alert').getByText('You asked me to fail.').waitFor();
    await page.getByRole('navigation').getByText('Failed').waitFor();
    expect(await page.getByText('API Error').count()).toBe(1);
    await place.picture(page, 'failed-turn');
    await page.getByRole('button', { name: 'Dismiss' }).click();

    // The turn takes up what is sent while it waits.
    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await field(page).fill('Count to one thousand');
    await field(page).press('Enter');
    await page.getByText('Queued').waitFor();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('1, 2, 3').waitFor();
    await page.getByText('Queued').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
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

  it('asks again for what waited when it was ended by Ctrl-C, and continues', { timeout }, async () => {
    await using scene = await stage([], { CLAUDE_CODE_PATH: cli });
    const { home, env } = scene;
    const folder = path.join(home.root, 'chat');
    await mkdir(folder);
    const args = ['--conditions=@hexagent/source', chat, '--no-open', '--folder', folder, '--port'];
    const first = runWithPipes([...args, '0'], { cwd: home.cwd, env });
    const url = await addressOf(first);
    const { page } = await place.visit(url);
    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    process.kill(first.pid, 'SIGINT');
    expect(await first.exitCode).toBe(130);
    await page.getByText('Reconnecting…').waitFor();
    await using second = runWithPipes([...args, new URL(url).port], { cwd: home.cwd, env });
    await addressOf(second);
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('I wrote the note to note.txt.').waitFor();
    await place.picture(page, 'after-a-restart');
    expect(await page.getByText(/Denied|Failed|Stopped/).count()).toBe(0);
  });

  it('continues with a turn in which it was killed, when it is started again', { timeout }, async () => {
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
    await page.getByText('runs until you stop it').waitFor();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await say(page, 'Count to one thousand');
    await page.getByText('1, 2, 3').waitFor();
    process.kill(first.pid, 'SIGKILL');
    await first.exitCode;
    await page.getByText('Reconnecting…').waitFor();
    await using second = start(new URL(url).port);
    await addressOf(second);
    await page.getByText('Reconnecting…').waitFor({ state: 'detached' });
    await page.getByText('runs until you stop it').waitFor();
    await page.getByText('1, 2, 3').waitFor();
    await place.picture(page, 'after-a-crash');
    expect(await page.getByRole('article', { name: 'You' }).allInnerTexts()).toEqual([
      'Hello',
      'Count to one thousand',
    ]);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    // After an orderly stop it asks again.
    await say(page, 'Leave a note for Ada');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    process.kill(second.pid, 'SIGTERM');
    expect(await second.exitCode).toBe(143);
    await page.getByText('Reconnecting…').waitFor();
    await using third = start(new URL(url).port);
    await addressOf(third);
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.getByText('I wrote the note to note.txt.').waitFor();
    expect(await page.getByText('Denied').count()).toBe(0);
  });
}
