import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildPage } from '../../examples/chat/build-page.ts';
import { serve, type Handle, type PageServer, type ServeOptions } from '../../examples/chat/serve.ts';
import { browserVisits, type Visits } from './visits.ts';

export interface Place extends Pick<Visits, 'picture' | 'visit'> {
  serve(handle: Handle, options?: Pick<ServeOptions, 'onError' | 'port'>): Promise<PageServer>;
}

/** One browser and one built page for all tests of a file; profiles and servers of a test end with it. */
export function browserPlace(): Place {
  const { visit, picture, keep } = browserVisits();
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'hexagent-chat-page-'));
    await buildPage(folder, { isScript: false });
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return {
    picture,
    visit,
    async serve(handle, options) {
      const server = await serve({ page: folder, handle, ...options });
      keep(server);
      return server;
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
