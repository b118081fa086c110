import { chmod, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { cli } from '../support/cli.ts';
import { runWithPipes } from '../support/running-program.ts';
import { stage } from '../support/stage.ts';
import { axe, findings } from './access.ts';
import { say, type Place } from './place.ts';

const program = fileURLToPath(new URL('../../examples/fleet/fleet.ts', import.meta.url));

const sizes = { wide: { width: 1280, height: 820 }, phone: { width: 390, height: 780 } } as const;

export function fleet(place: Place): void {
  const check = async (page: Page, state: string): Promise<void> => {
    for (const [name, size] of Object.entries(sizes))
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await page.setViewportSize(size);
        await place.picture(page, `${state} ${name} ${colorScheme}`);
        expect.soft(await page.evaluate(findings), `${state} ${name} ${colorScheme}`).toEqual([]);
        expect.soft(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false);
      }
    await page.setViewportSize(sizes.wide);
  };

  it(
    'goes on with a turn whose worker is killed with the keyboard, and leaves nothing behind',
    { timeout: 400_000 },
    async () => {
      await using scene = await stage([], { CLAUDE_CODE_PATH: cli });
      const { home, env } = scene;
      // Started by root, PostgreSQL runs as another user.
      await chmod(home.root, 0o755);
      await using running = runWithPipes(['--conditions=@hexagent/source', program, '--no-open'], {
        cwd: home.cwd,
        env,
      });
      await running.shows('Ctrl-C ends all of it.');
      const { page } = await place.visit(/http:\S+/.exec(running.output)?.[0] ?? '', { viewport: sizes.wide });
      // An upper bound for a busy machine, which runs a dozen processes here.
      page.setDefaultTimeout(90_000);
      await page.evaluate(axe);
      const panel = page.getByRole('complementary', { name: 'Workers' });
      await panel.getByText('Workers: 3 running').waitFor();
      await say(page, 'Count to one thousand');
      await page.getByText('1, 2, 3').waitFor();
      const driving = panel.getByRole('listitem').filter({ hasText: '1 chat ' });
      await driving.waitFor();
      await check(page, 'fleet');
      const counted = await page.getByRole('article', { name: 'Agent' }).innerText();
      const reached = Number(counted.match(/\d+/g)?.at(-1));
      await driving.getByRole('button', { name: /^Kill/ }).focus();
      await page.keyboard.press('Enter');
      await panel.getByText('Killed', { exact: true }).waitFor();
      expect(await page.evaluate('document.activeElement.textContent')).toBe('Start a worker');
      await check(page, 'fleet after a kill');
      await panel.getByText('Killed', { exact: true }).waitFor({ state: 'detached' });
      // The count begins again, and goes further than it was.
      await page.getByText(`${reached + 100}, ${reached + 101}`).waitFor();
      await panel.getByText('1 chat ').waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByRole('button', { name: 'Send' }).waitFor();
      await place.picture(page, 'fleet at the end');
      // It was stopped, and did not come to its end.
      expect(await page.getByRole('article', { name: 'Agent' }).innerText()).not.toContain('1000');
      expect(await page.getByRole('article', { name: 'You' }).allInnerTexts()).toEqual(['Count to one thousand']);
      process.kill(running.pid, 'SIGINT');
      expect(await running.exitCode).toBe(130);
      expect(running.output).not.toMatch(/Warning|Error/);
      expect((await readdir(home.tmp)).filter((name) => name.startsWith('hexagent'))).toEqual([]);
      expect(processesMentioning(home.root)).toEqual([]);
    },
  );
}
