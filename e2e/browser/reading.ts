import type { HandMessage } from '@hexagent/testing';
import type { BrowserContext, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { figures, outputChunk, textChunks, toolChunks } from './chunks.ts';
import { field, say, type Place } from './place.ts';
import { StandIn, type TurnScript } from './stand-in.ts';

const message = (id: number): HandMessage => ({
  id: `m${id}`,
  role: id % 2 === 0 ? 'user' : 'assistant',
  parts: [
    {
      type: 'text',
      text: `Message **${id}**, with a list:\n\n- of \`code\`\n- and words that fill a line or two of it`,
    },
  ],
});

const asking: TurnScript = async ({ write, ask }) => {
  write(...textChunks('a', 'I will delete what is old.'), ...toolChunks('b', 'Bash', { command: 'rm -r old' }));
  const rule = {
    type: 'addRules',
    behavior: 'allow',
    rules: [{ toolName: 'Bash', ruleContent: 'rm *' }],
    destination: 'session',
  };
  const { approved } = await ask('ask-1', 'b', { kind: 'permission', suggestions: [rule] });
  write({ type: 'tool-approval-response', approvalId: 'ask-1', approved });
  write(outputChunk('b', ''), ...textChunks('t', 'It is gone.'), figures);
};

/** Starts to measure, and returns what tells how long the thread of a page was on a processor since then, in seconds. */
async function measureThread(
  context: BrowserContext,
  page: Page,
): Promise<() => Promise<{ readonly seconds: number; readonly scripts: number }>> {
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<(name: string) => number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return (name) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN;
  };
  const before = await read();
  return async () => {
    const after = await read();
    const since = (name: string): number => after(name) - before(name);
    return { seconds: since('TaskDuration'), scripts: since('ScriptDuration') };
  };
}

export function reading(place: Place): void {
  it('is usable within a second with two thousand messages, and shows earlier ones when it is scrolled', async () => {
    const standIn = new StandIn(async ({ write }) => write(...textChunks('t', 'Here.'), figures));
    standIn.chats.store(
      'long',
      Array.from({ length: 2000 }, (_, id) => message(id)),
    );
    const { url } = await place.serve(standIn.handle);
    const { page, context } = await place.visit(url);
    const measured = await measureThread(context, page);
    await page.goto(`${url}/?#long`);
    await page.getByText('Message 1999').waitFor();
    await field(page).fill('Are you there?');
    const used = await measured();
    // The time of its processor and not that of a clock, which a busy machine makes longer: 0.12 s were measured.
    expect(used.seconds).toBeLessThan(1);
    // It did count what the page did.
    expect(used.scripts).toBeGreaterThan(0.005);
    expect(await page.getByRole('article').count()).toBeLessThan(200);
    // What is read stays in its place while earlier messages are put above it.
    await page.getByText('Message 1941').scrollIntoViewIfNeeded();
    await page.getByText('Message 1901').waitFor({ state: 'attached' });
    expect(await page.getByText('Message 1941').isVisible()).toBe(true);
    await field(page).press('Enter');
    await page.getByText('Here.').waitFor();
  });

  it('shows what the person sends and its answer, also when earlier messages are being read', async () => {
    const standIn = new StandIn(async ({ write }) => write(...textChunks('t', 'The answer.'), figures));
    standIn.chats.store(
      'long',
      Array.from({ length: 40 }, (_, id) => message(id)),
    );
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(`${url}/#long`);
    const isSeen = async (text: string): Promise<boolean> => {
      const { y, height } = (await page.getByText(text, { exact: true }).boundingBox()) ?? { y: -1, height: 0 };
      return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
    };
    await page.getByText('Message 39, with').waitFor();
    await page.getByText('Message 5, with').scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'To the latest message' }).waitFor();
    await say(page, 'A question');
    await page.getByText('The answer.').waitFor();
    await expect.poll(() => isSeen('A question')).toBe(true);
    await expect.poll(() => isSeen('The answer.')).toBe(true);
  });

  it('is used with the keyboard alone', async () => {
    const standIn = new StandIn(asking);
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url);
    const { keyboard } = page;
    await page.locator('#message:focus').waitFor();
    await keyboard.type('Clean up');
    await keyboard.press('Enter');
    const card = page.getByRole('region', { name: /Permission needed/ });
    await card.waitFor();
    // The card has the focus and not a button, so an Enter that was meant for the message allows nothing.
    await keyboard.press('Enter');
    expect(standIn.answers).toEqual([]);
    const checkbox = card.getByRole('checkbox');
    await keyboard.press('Tab');
    await keyboard.press('Tab');
    expect(await checkbox.evaluate((node) => node.matches(':focus-visible'))).toBe(true);
    await keyboard.press('Space');
    await place.picture(page, 'keyboard');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await page.getByText('It is gone.').waitFor();
    expect(standIn.answers).toEqual([{ approved: true, suggestions: [0] }]);
    await page.getByRole('status').filter({ hasText: 'The agent has finished.' }).waitFor({ state: 'attached' });
  });

  it('is readable on a phone, with the conversations behind a button', async () => {
    const standIn = new StandIn(asking);
    standIn.chats.store('old', [message(0), message(1)]);
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url, { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true });
    await say(page, 'Clean up what is old, and tell me what you did with it');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await place.picture(page, 'phone');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
    expect(await page.getByRole('navigation').isVisible()).toBe(false);
    await page.getByRole('button', { name: 'Chats' }).tap();
    await page.getByRole('button', { name: /^Message/ }).waitFor();
    await place.picture(page, 'phone-conversations');
    await page.getByRole('button', { name: /^Message/ }).tap();
    await page.getByText('Message 1, with a list').waitFor();
  });

  it('is dark where the system is', async () => {
    const standIn = new StandIn(asking);
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url, { colorScheme: 'dark' });
    await say(page, 'Clean up');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await place.picture(page, 'dark');
    const background = String(await page.evaluate('getComputedStyle(document.body).backgroundColor'));
    expect(background).toBe('rgb(23, 24, 22)');
  });
}
