import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { figures, outputChunk, reasoningChunks, toolChunks } from './chunks.ts';
import { field, say, type Place } from './place.ts';
import { StandIn, type TurnScript } from './stand-in.ts';

export const axe: string = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const views = {
  light: { width: 1180, height: 820, colorScheme: 'light' },
  dark: { width: 1180, height: 820, colorScheme: 'dark' },
  phone: { width: 390, height: 780, colorScheme: 'light' },
  narrow: { width: 320, height: 640, colorScheme: 'dark' },
} as const;

/** What a thumb meets: not what lies in a text, and of a box with a label the label. */
const smallTargets = `[...document.querySelectorAll('button, input, select, textarea, summary')].flatMap((each) => {
  const { width, height } = (each.closest('label.choice') ?? each).getBoundingClientRect();
  const isSeen = each.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && width > 1;
  const least = each.matches('.action, summary') ? 36 : 44;
  return isSeen && (height < least || width < least) ? [each.outerHTML.slice(0, 90) + ' ' + width + 'x' + height] : [];
})`;

const rules = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
});

export const findings = `axe.run(${rules}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 150) + ' ' + failureSummary)))`;

/** Answers by what the person writes: each brings the page into a state. */
const states: TurnScript = async ({ text, write, ask, signal }) => {
  const untilStopped = new Promise((resolve) => signal.addEventListener('abort', resolve));
  const suggestions = [
    {
      type: 'addRules',
      behavior: 'allow',
      rules: [{ toolName: 'Bash', ruleContent: 'npm test *' }],
      destination: 'session',
    },
    { type: 'addDirectories', directories: ['/srv/another/folder/with/a/long/name'], destination: 'session' },
  ];
  const option = (label: string) => ({ label, description: `Something ${label.toLowerCase()}` });
  const questions = [
    { question: 'Which tone?', header: 'Tone', multiSelect: false, options: ['Warm', 'Brief'].map(option) },
    { question: 'Which topics?', header: 'Topics', multiSelect: true, options: ['Tea', 'Trains'].map(option) },
  ];
  const plan = '# A plan\n\n1. Read the `tests`\n2. Fix the slow ones';
  if (text === 'work') await untilStopped;
  else if (text === 'stream') {
    write({ type: 'message-metadata', messageMetadata: { interrupted: true, durationMs: 1200 } });
    write(...reasoningChunks('r', 'They want to know about tests.'), { type: 'text-start', id: 't' });
    write({
      type: 'text-delta',
      id: 't',
      delta: 'Two tests are **slow**:\n\n1. `parser.test.ts`\n\n```sh\npnpm vitest\n```\n',
    });
    await untilStopped;
  } else if (text === 'approval') {
    write(...toolChunks('b', 'Bash', { command: 'npm test -- --reporter=verbose', description: 'Runs the tests' }));
    await ask('ask-b', 'b', { kind: 'permission', suggestions, blockedPath: '/srv/another/folder/file.txt' });
    write({ type: 'tool-approval-response', approvalId: 'ask-b', approved: true }, outputChunk('b', 'passed'), figures);
  } else if (text === 'questions') {
    write(...toolChunks('q', 'AskUserQuestion', { questions }));
    await ask('ask-q', 'q', { kind: 'question', suggestions: [] });
    write({ type: 'tool-approval-response', approvalId: 'ask-q', approved: false });
    write({ type: 'tool-output-denied', toolCallId: 'q' }, figures);
  } else if (text === 'plan') {
    write(...toolChunks('p', 'ExitPlanMode', { plan }));
    await ask('ask-p', 'p', { kind: 'plan', suggestions: [], permissionModes: ['acceptEdits'] });
    write({ type: 'tool-approval-response', approvalId: 'ask-p', approved: true }, outputChunk('p', ''), figures);
  } else {
    const failure = { message: 'Invalid API key.', remedy: 'Set ANTHROPIC_API_KEY to one that is valid.' };
    write({ type: 'finish', finishReason: 'error', messageMetadata: { failure } });
    write({ type: 'error', errorText: `${failure.message}\n${failure.remedy}` });
  }
};

export function access(place: Place): void {
  /** Finds nothing to mend in the state of a page, in each view. */
  const check = async (page: Page, state: string): Promise<void> => {
    await page.evaluate(axe);
    for (const [view, { width, height, colorScheme }] of Object.entries(views)) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height });
      await place.picture(page, `${state} ${view}`);
      const found = {
        [`${state}, ${view}`]: await page.evaluate(findings),
        isTooWide: await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
        isSqueezed: await page.evaluate('document.querySelector("main").clientWidth < innerWidth / 2'),
        small: width < 760 ? await page.evaluate(smallTargets) : [],
      };
      expect.soft(found).toEqual({ [`${state}, ${view}`]: [], isTooWide: false, isSqueezed: false, small: [] });
    }
    await page.setViewportSize(views.light);
  };
  const stop = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  };

  it(
    'passes axe and fits small screens while a turn begins, runs, is stopped and fails',
    { timeout: 180_000 },
    async () => {
      const standIn = new StandIn(states);
      const { url } = await place.serve(standIn.handle);
      const { page } = await place.visit(url);
      await page.getByText('What should the agent do?').waitFor();
      await check(page, 'first screen');
      await field(page).fill(
        'A message that is long enough for several lines on a small screen, and is still being written',
      );
      const buffer = Buffer.from('A note');
      await page
        .getByLabel('Files', { exact: true })
        .setInputFiles({ name: 'a-note-with-a-long-name.txt', mimeType: 'text/plain', buffer });
      await page.getByText('a-note-with-a-long-name.txt').waitFor();
      await check(page, 'typing');
      await page.getByRole('button', { name: 'Remove a-note-with-a-long-name.txt' }).click();
      await say(page, 'work');
      await page.getByRole('navigation').getByText('Working').waitFor();
      await check(page, 'working');
      await stop(page);
      await say(page, 'stream');
      await page.getByText('Two tests are').waitFor();
      await check(page, 'streaming');
      await field(page).fill('And which are fast?');
      await field(page).press('Enter');
      await page.getByText('Queued').waitFor();
      await check(page, 'queued message');
      await stop(page);
      await page.getByText('Stopped').waitFor();
      await check(page, 'stopped turn');
      await say(page, 'fail');
      await page.getByRole('alert').waitFor();
      await check(page, 'failed turn');
    },
  );

  it('passes axe and fits small screens while the agent asks', { timeout: 180_000 }, async () => {
    const standIn = new StandIn(states);
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url);
    await say(page, 'approval');
    await page.getByRole('button', { name: 'Allow once' }).waitFor();
    await check(page, 'permission');
    await page.getByRole('button', { name: 'Deny' }).click();
    await check(page, 'denying it');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Allow once' }).click();
    await page.locator('#message:focus').waitFor();
    await say(page, 'questions');
    await page.getByRole('radio', { name: /Warm/ }).check();
    await check(page, 'question form');
    await page.getByRole('button', { name: 'Skip' }).click();
    await page.locator('#message:focus').waitFor();
    await say(page, 'plan');
    await page.getByRole('button', { name: 'Approve' }).waitFor();
    await check(page, 'plan card');
    await page.getByRole('button', { name: 'Edit' }).click();
    await check(page, 'plan editor');
  });

  it('passes axe and fits small screens with many chats, and without a server', { timeout: 180_000 }, async () => {
    const standIn = new StandIn(states);
    for (const title of ['Why are the tests slow?', 'Write a poem', 'A letter to Ada, who lives on the moon'])
      standIn.chats.store(title.slice(0, 3).trim(), [
        { id: title.slice(0, 3), role: 'user', parts: [{ type: 'text', text: title }] },
      ]);
    standIn.chats.hold('Wri');
    const server = await place.serve(async (request, facts) => {
      const response = await standIn.handle(request, facts);
      if (!request.url.endsWith('/sessions')) return response;
      const { sessions, ...rest } = (await response.json()) as { sessions: readonly { id: string }[] }; // as the README says
      return Response.json({
        ...rest,
        sessions: sessions.map((each) => (each.id === 'Why' ? { ...each, state: 'failed' } : each)),
      });
    });
    const { page } = await place.visit(`${server.url}/#Wri`);
    await page.getByRole('button', { name: 'Continue' }).waitFor();
    await check(page, 'interrupted turn');
    await page.getByRole('button', { name: 'Rename Write a poem' }).click();
    await page.setViewportSize(views.phone);
    await page.getByRole('button', { name: 'Chats' }).click();
    await check(page, 'renaming');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await check(page, 'list with a failed chat');
    await page.getByRole('searchbox').fill('biscuits');
    await page.getByText('No chats found').waitFor();
    await check(page, 'empty search');
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Delete Write a poem' }).click();
    await check(page, 'delete dialog');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Undo' }).hover();
    await check(page, 'undo');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Undo' }).click();
    await standIn.chats.delete('Wri', { name: 'ada' });
    await page.getByText('This chat was deleted.').waitFor();
    await check(page, 'deleted chat');
    await page.goto(`${server.url}/?#Wri`);
    await page.getByText('This chat does not exist.').waitFor();
    await check(page, 'missing chat');
    await page.goto(`${server.url}/?x#Why`);
    await page.getByText('Why are the tests slow?').last().waitFor();
    await server.close();
    await page.getByText('Reconnecting…').waitFor();
    await check(page, 'server away');
  });
}
