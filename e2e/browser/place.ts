import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { buildPage } from '../../examples/chat/build-page.ts';
import { serve, type Handle, type PageServer, type ServeOptions } from '../../examples/chat/serve.ts';
import { launchBrowser } from './browser.ts';

/** Pictures of the states that the tests go through, of the last run. */
const pictures = fileURLToPath(new URL('../screenshots/', import.meta.url));

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console of the page shows as errors. */
  readonly errors: readonly string[];
}

export interface Place {
  serve(handle: Handle, options?: Pick<ServeOptions, 'onError' | 'port'>): Promise<PageServer>;
  /** Opens the page in a browser profile of its own. */
  visit(url: string, options?: BrowserContextOptions): Promise<Visitor>;
  picture(page: Page, name: string): Promise<void>;
}

/** One browser and one built page for all tests of a file; profiles and servers of a test end with it. */
export function browserPlace(): Place {
  let browser: Browser;
  let folder: string;
  const open: { close(): Promise<unknown> }[] = [];
  const problems: string[] = [];
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hexagent-chat-page-'));
    await mkdir(pictures, { recursive: true });
    [browser] = await Promise.all([launchBrowser(), buildPage(folder, { isScript: false })]);
  });
  afterEach(async ({ task }) => {
    // The text of the page explains a failure better than the name of a locator.
    if (task.result?.state === 'fail')
      for (const [index, page] of pages.entries()) await picture(page, `failed-${task.name}-${index}`).catch(() => {});
    pages.length = 0;
    for (const each of open.splice(0).toReversed()) await each.close();
    const seen = problems.splice(0);
    if (seen.length > 0) throw new Error(`The page threw: ${seen.join('\n')}`);
  });
  afterAll(async () => {
    await browser?.close();
    await rm(folder, { recursive: true, force: true });
  });
  const pages: Page[] = [];
  const picture = async (page: Page, name: string): Promise<void> => {
    await page.screenshot({
      path: path.join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`),
      animations: 'disabled',
    });
  };
  return {
    picture,
    async serve(handle, options) {
      const server = await serve({ page: folder, handle, ...options });
      open.push(server);
      return server;
    },
    async visit(url, options = {}) {
      const context = await browser.newContext({ viewport: { width: 1180, height: 820 }, ...options });
      open.push(context);
      context.setDefaultTimeout(20_000);
      const page = await context.newPage();
      page.on('pageerror', (error) => problems.push(String(error)));
      const errors: string[] = [];
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
      pages.push(page);
      await page.goto(url);
      return { page, context, errors };
    },
  };
}

export const field = (page: Page) => page.getByRole('textbox', { name: 'Message' });

export async function say(page: Page, text: string): Promise<void> {
  // While a turn runs, Enter queues a message for it.
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  await field(page).fill(text);
  await field(page).press('Enter');
}
