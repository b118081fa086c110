import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { launchBrowser } from './browser.ts';

/** Pictures of the states that the tests go through, of the last run. */
const pictures = fileURLToPath(new URL('../screenshots/', import.meta.url));

export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** What the console of the page shows as errors. */
  readonly errors: readonly string[];
}

export interface Visits {
  /** Opens the page in a browser profile of its own. */
  visit(url: string, options?: BrowserContextOptions): Promise<Visitor>;
  picture(page: Page, name: string): Promise<void>;
  /** Closed after the test, before what was kept earlier. */
  keep(closable: { close(): Promise<unknown> }): void;
}

/** One browser for all tests of a file; profiles, and what a test keeps, end with it. */
export function browserVisits(): Visits {
  let browser: Browser;
  const open: { close(): Promise<unknown> }[] = [];
  const problems: string[] = [];
  const pages: Page[] = [];
  beforeAll(async () => {
    await mkdir(pictures, { recursive: true });
    browser = await launchBrowser();
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
  afterAll(() => browser?.close());
  const picture = async (page: Page, name: string): Promise<void> => {
    await page.screenshot({
      path: path.join(pictures, `${name.replaceAll(/[^a-z0-9]+/gi, '-')}.png`),
      animations: 'disabled',
    });
  };
  return {
    picture,
    keep: (closable) => void open.push(closable),
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
