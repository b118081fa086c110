import type { HandMessage } from '@hexagent/testing';
import { expect, it } from 'vitest';
import { figures, textChunks } from './chunks.ts';
import type { Place } from './place.ts';
import { StandIn } from './stand-in.ts';

const said = (text: string): readonly HandMessage[] => [
  { id: `of-${text.length}`, role: 'user', parts: [{ type: 'text', text }] },
];

export function chats(place: Place): void {
  /** Some chats, the first of which is shown. */
  const open = async () => {
    const standIn = new StandIn(async ({ write }) => write(...textChunks('t', 'Here.'), figures));
    for (const [id, text] of [
      ['tests', 'Why are the tests slow?'],
      ['poem', 'Write a poem'],
      ['letter', 'Write a letter to Ada'],
    ] as const)
      standIn.chats.store(id, said(text));
    const { url } = await place.serve(standIn.handle);
    const visitor = await place.visit(`${url}/#tests`);
    const list = visitor.page.getByRole('navigation').getByRole('list').getByRole('listitem');
    const left = async (): Promise<readonly string[]> =>
      (await standIn.chats.list({ limit: 9, offset: 0 }, { name: 'ada' })).map(({ id }) => id).toSorted();
    await list.nth(2).waitFor();
    return { standIn, list, left, ...visitor };
  };

  it('opens a chat, and finds chats by their titles', async () => {
    const { page, list } = await open();
    await page.getByRole('button', { name: /^Write a poem/ }).click();
    await page.getByRole('heading', { name: 'Write a poem' }).waitFor();
    await page.locator('#message:focus').waitFor();
    const search = page.getByRole('searchbox', { name: 'Search chats' });
    await search.fill('WRITE');
    await expect.poll(() => list.count()).toBe(2);
    await search.fill('biscuits');
    await page.getByText('No chats found').waitFor();
    await search.fill('');
    await expect.poll(() => list.count()).toBe(3);
  });

  it('leaves the focus in the search when a chat that was opened has loaded', async () => {
    const { page } = await open();
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    await page.route('**/sessions/poem/messages*', async (route) => {
      asked.resolve();
      await held.promise;
      await route.continue();
    });
    await page.getByRole('button', { name: /^Write a poem/ }).click();
    await asked.promise;
    await page.getByRole('searchbox', { name: 'Search chats' }).focus();
    held.resolve();
    await page.locator('article', { hasText: 'Write a poem' }).first().waitFor();
    await page.locator('input[type=search]:focus').waitFor();
  });

  it('renames a chat, and gives the focus back', async () => {
    const { page } = await open();
    const rename = async (title: string, key: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Title' }).fill(title);
      await page.getByRole('textbox', { name: 'Title' }).press(key);
    };
    await page.getByRole('button', { name: 'Rename Why are the tests slow?' }).click();
    await rename('Nothing', 'Escape');
    await page.getByRole('button', { name: 'Rename Why are the tests slow?' }).click();
    await rename('Slow tests', 'Enter');
    await page.getByRole('heading', { name: 'Slow tests' }).waitFor();
    await page.locator('[aria-label="Rename Slow tests"]:focus').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Slow tests' }).waitFor();
  });

  it('deletes a chat that the person confirms, unless it is undone', async () => {
    const { page, list, left } = await open();
    const dialog = page.getByRole('dialog', { name: 'Delete chat?' });
    const ask = async (title: string): Promise<void> => {
      await page.getByRole('button', { name: `Delete ${title}` }).click();
      await dialog.getByText(title).waitFor();
    };
    await ask('Why are the tests slow?');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[aria-label="Delete Why are the tests slow?"]:focus').waitFor();
    await ask('Why are the tests slow?');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('What should the agent do?').waitFor();
    await expect.poll(() => list.count()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Why are the tests slow?' }).waitFor();
    expect([await list.count(), await left()]).toEqual([3, ['letter', 'poem', 'tests']]);
    // The second makes the first final, and so does leaving the page.
    await ask('Write a poem');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.locator('#message:focus').waitFor();
    await ask('Write a letter');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(left).toEqual(['letter', 'tests']);
    expect(await list.count()).toBe(1);
    await page.reload();
    await expect.poll(left).toEqual(['tests']);
  });

  it('deletes a chat for good once it can no longer be undone', async () => {
    const { page, left } = await open();
    await page.clock.install();
    await page.reload();
    await page.getByRole('button', { name: 'Delete Write a poem' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.mouse.move(600, 300);
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await page.clock.runFor(8000);
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await expect.poll(left).toEqual(['letter', 'tests']);
  });

  it('has the colors that the person chooses, also after a reload', async () => {
    const { page } = await open();
    const background = (): Promise<unknown> => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Dark');
    await page.reload();
    expect([light, await background()]).toEqual(['rgb(251, 250, 247)', 'rgb(23, 24, 22)']);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.getByRole('combobox', { name: 'Theme' }).selectOption('Light');
    expect(await background()).toBe(light);
  });
}
