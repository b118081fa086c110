import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inspectTapes } from '@hexagent/inspector';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { recordedLines } from '../../packages/server/inspector/test/recorded-lines.ts';
import { axe, findings } from './access.ts';
import { longTape } from './long-tape.ts';
import type { Visitor, Visits } from './visits.ts';

const header = '{"tape":1,"started":"2026-11-20T10:00:00.000Z"}';
const entry = (t: number, fields: object, agent = 1): string => JSON.stringify({ t, agent, ...fields });

/** Recordings of the real CLI, each as an agent of one run; the last of them still waits for an answer. */
function manyAgents(): readonly string[] {
  const files = [
    '03-permission-suggestions-many-tools',
    '35-subagent-foreground-forwardText',
    '90-permission-never-answered',
  ];
  const lines = files.flatMap((file, at) =>
    recordedLines(`transcripts/${file}.jsonl`)
      .slice(1)
      .map((line) => line.replace('"agent":1', `"agent":${at + 1}`)),
  );
  const asked = lines.findLastIndex((line) => line.includes('"can_use_tool"'));
  return [header, ...lines.slice(0, asked + 1)];
}

/** The address of a page of tapes with these lines. */
async function serve({ keep }: Visits, tapes: readonly Iterable<string>[]): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'hexagent-tapes-'));
  keep({ close: () => rm(folder, { recursive: true }) });
  const files = tapes.map((_, at) => path.join(folder, ['before.tape', 'after.tape'][at] ?? ''));
  for (const [at, lines] of tapes.entries()) await writeFile(files[at] ?? '', [...lines, ''].join('\n'));
  const server = await inspectTapes(files);
  keep(server);
  return server.url;
}

async function open(
  visits: Visits,
  tapes: readonly Iterable<string>[],
  options?: BrowserContextOptions,
): Promise<Visitor> {
  return await visits.visit(await serve(visits, tapes), options);
}

/** What the page and its server compute until something is done, in milliseconds: however much else the machine does. */
async function computed({ page, context }: Visitor, act: () => Promise<unknown>): Promise<number> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = process.cpuUsage();
  await act();
  const { user, system } = process.cpuUsage(before);
  const { metrics } = await session.send('Performance.getMetrics');
  const ofPage = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Infinity;
  return ofPage * 1000 + (user + system) / 1000;
}

const frames = (page: Page) => page.getByRole('listbox', { name: 'Frames' }).getByRole('option');
const details = (page: Page) => page.getByRole('region', { name: 'Details' });
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search frames' });
const countOf = async (page: Page): Promise<number> => Number(await frames(page).first().getAttribute('aria-setsize'));

const views: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1180, height: 820 }, colorScheme: 'light' },
  dark: { viewport: { width: 1180, height: 820 }, colorScheme: 'dark' },
  narrow: { viewport: { width: 390, height: 780 }, colorScheme: 'light' },
};

async function expectAccessible({ page }: Visitor): Promise<void> {
  await page.evaluate(axe);
  expect(await page.evaluate(findings)).toEqual([]);
  expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
}

export function inspectedTapes(visits: Visits): void {
  const { picture } = visits;

  it('opens 100,000 frames within two seconds, draws those that are seen, and finds one of them', async () => {
    const url = await serve(visits, [longTape(100_000)]);
    const visitor = await visits.visit('about:blank');
    const { page } = visitor;
    const ms = await computed(visitor, async () => {
      await page.goto(url);
      await page.getByText('100,000', { exact: true }).waitFor();
    });
    expect(ms).toBeLessThan(2000);
    expect(await page.locator('.row').count()).toBeLessThan(60);
    await page.getByRole('listbox', { name: 'Frames' }).focus();
    await page.keyboard.press('End');
    await details(page).getByText('100,000').waitFor();
    await search(page).fill('word 77123 ');
    await frames(page).filter({ hasText: 'word 77123' }).click();
    await details(page).getByText('77,124').waitFor();
    await picture(page, 'inspector-100000');
  });

  it('is used by keys alone', async () => {
    const { page } = await open(visits, [manyAgents()]);
    await frames(page).first().waitFor();
    await page.keyboard.press('/');
    expect(await search(page).evaluate((each) => each === each.ownerDocument.activeElement)).toBe(true);
    await page.keyboard.type('can_use_tool');
    await expect.poll(() => countOf(page)).toBe(9);
    await page.getByRole('listbox', { name: 'Frames' }).focus();
    for (const key of ['ArrowDown', 'End', 'ArrowUp']) await page.keyboard.press(key);
    const selected = page.locator('.row[aria-selected=true]');
    await expect.poll(() => selected.getAttribute('aria-posinset')).toBe('8');
    expect(await page.getByRole('listbox', { name: 'Frames' }).getAttribute('aria-activedescendant')).toBe(
      await selected.getAttribute('id'),
    );
    await page.keyboard.press('Enter');
    const focused = page.locator('[role=treeitem]:focus');
    expect(await focused.getAttribute('data-path')).toBe('type');
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    expect(await focused.getAttribute('data-path')).toBe('request');
    expect(await focused.getAttribute('aria-expanded')).toBe('true');
    await page.keyboard.press('ArrowLeft');
    expect(await focused.getAttribute('aria-expanded')).toBe('false');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    expect(await focused.getAttribute('data-path')).toBe('request.subtype');
    await page.keyboard.press('Escape');
    expect(await page.locator('.frames:focus').count()).toBe(1);
  });

  it('limits the list to a direction, a tool, kinds, an agent and a turn', async () => {
    const { page } = await open(visits, [manyAgents()]);
    await frames(page).first().waitFor();
    const all = await countOf(page);
    await page.getByRole('combobox', { name: 'Tool' }).selectOption('WebFetch');
    await expect.poll(() => countOf(page)).toBe(4);
    await page.getByRole('combobox', { name: 'Direction' }).selectOption('To the agent');
    await expect.poll(() => countOf(page)).toBe(1);
    await page.getByRole('button', { name: 'Questions', exact: true }).click();
    await page.getByText('Nothing fits the filter.').waitFor();
    await page.getByRole('button', { name: 'Clear the filter' }).click();
    await expect.poll(() => countOf(page)).toBe(all);
    await page.getByRole('button', { name: /^Agent 2/ }).click();
    await expect.poll(() => countOf(page)).toBe(42);
    await page.getByRole('button', { name: '1. TOPLEVEL' }).click();
    await expect.poll(() => countOf(page)).toBe(40);
    await page.getByRole('button', { name: /agent 3: Bash waits/ }).click();
    await details(page).getByText('Waits').waitFor();
    await expect.poll(() => countOf(page)).toBe(all);
  });

  it('shows texts as texts, long values in parts, and what cannot be read', async () => {
    const text = '<img src=x onerror="document.title=1">';
    const list = Array.from({ length: 250 }, (_, at) => at);
    const frame = { type: 'assistant', message: { content: [{ type: 'text', text }] }, list, long: 'x'.repeat(5000) };
    const { page, errors } = await open(visits, [
      [header, entry(1, { in: frame }), 'no entry', '{"t":2,"agent":1,"in":{"type":}'],
    ]);
    await page.getByText('1 lines could not be read.').waitFor();
    await frames(page).filter({ hasText: text }).click();
    const tree = page.getByRole('tree', { name: 'Frame' });
    await tree.getByText('150 more').click();
    expect(await tree.locator('[data-path="list.249"]').count()).toBe(1);
    await tree.getByRole('button', { name: '3,000 more' }).click();
    expect(await tree.locator('[data-path=long]').innerText()).toContain('x'.repeat(5000));
    expect(await page.locator('img').count()).toBe(0);
    expect(errors).toEqual([]);
  });

  it('says what is wrong with an address, and what is not there', async () => {
    const { page } = await open(visits, [[header]]);
    await page.getByText('There is no entry in this tape.').waitFor();
    await picture(page, 'inspector-empty');
    await page.goto(`${new URL(page.url()).origin}/#token=of-yesterday`);
    await page.getByRole('alert').getByText('Open the address that the program printed last').waitFor();
    await picture(page, 'inspector-error');
  });

  it('compares two runs, and shows where they part', async () => {
    const run = recordedLines('transcripts/03-permission-suggestions-many-tools.jsonl');
    const other = run.map((line) =>
      line.replaceAll('no WebFetch', 'Not that site.').replaceAll('0d1acc8b', 'ffffffff'),
    );
    const { page } = await open(visits, [run, other]);
    await page.getByText('First difference: in what the program sent, agent 1, after 4 frames of this kind').waitFor();
    const row = page.getByRole('row', { name: 'response.response.message' });
    expect(await row.getByRole('cell').allInnerTexts()).toEqual(['no WebFetch', 'Not that site.']);
    for (const side of ['left', 'right']) {
      const marked = page.getByRole('region', { name: `Details, ${side}` }).locator('.marked');
      expect(await marked.getAttribute('data-path')).toBe('response.response.message');
    }
    await picture(page, 'inspector-two-runs');
    const same = await open(visits, [run, run]);
    await same.page.getByText('The runs are the same, but for ids, times and folders.').waitFor();
  });

  it.each(Object.keys(views))('is accessible (%s)', async (view) => {
    const run = await open(visits, [manyAgents()], views[view]);
    await frames(run.page).first().waitFor();
    await expectAccessible(run);
    await picture(run.page, `inspector-${view}`);
    await frames(run.page).nth(8).click();
    await details(run.page).getByRole('heading', { name: 'Bash: denied' }).waitFor();
    await expectAccessible(run);
    await picture(run.page, `inspector-details-${view}`);
    if (view === 'narrow') {
      await run.page.getByRole('button', { name: 'Back to the list' }).click();
      await run.page.getByRole('button', { name: 'Agents and turns' }).click();
      await run.page.getByRole('button', { name: '1. TOPLEVEL' }).waitFor();
      await expectAccessible(run);
      await picture(run.page, 'inspector-menu-narrow');
      await run.page.mouse.click(370, 500);
      await run.page.getByRole('button', { name: '1. TOPLEVEL' }).waitFor({ state: 'hidden' });
    }
    const two = await open(visits, [manyAgents(), manyAgents().slice(0, 20)], views[view]);
    await two.page.getByText('First difference').waitFor();
    await expectAccessible(two);
    await picture(two.page, `inspector-two-runs-${view}`);
  });
}
