import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { processesMentioning } from '@hexagent/testing/cli';
import {
  apiError,
  gate,
  text,
  toolResults,
  toolUse,
  type ModelRequest,
  type TurnLike,
} from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { say, type Place } from './place.ts';
import { realChat } from './real-chat.ts';

/** A picture of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const touch = toolUse('Bash', { command: 'touch made.txt', description: 'Makes a file' });

/** Requests a command, and then answers with its outcome. */
const touching = (request: ModelRequest): TurnLike => {
  const [result] = toolResults(request);
  if (result === undefined) return [text('I make a file.'), touch];
  return result.isError ? 'Then not.' : 'It is made.';
};

export function real(place: Place): void {
  it('runs what is allowed, and stores the rule that was ticked and nothing else', async () => {
    await using chat = await realChat(place, touching);
    const { page, home } = chat;
    await say(page, 'Make it');
    await page.getByRole('region', { name: /Permission needed/ }).waitFor();
    expect(existsSync(path.join(home.cwd, 'made.txt'))).toBe(false);
    await place.picture(page, 'real-approval');
    for (const box of await page.getByRole('checkbox').all()) expect(await box.isChecked()).toBe(false);
    await page.getByText(/Don't ask again for touch/).click();
    await page.getByRole('button', { name: 'Allow', exact: true }).click();
    await page.getByText('It is made.').waitFor();
    expect(existsSync(path.join(home.cwd, 'made.txt'))).toBe(true);
    const settings = JSON.parse(readFileSync(path.join(home.cwd, '.claude/settings.local.json'), 'utf8')) as object;
    expect(settings).toMatchObject({ permissions: { allow: [expect.stringContaining('Bash(touch')] } });
    expect(JSON.stringify(settings)).not.toMatch(/acceptEdits|additionalDirectories/);
    // The CLI does not ask again.
    await say(page, 'Once more');
    await expect.poll(() => page.getByText('It is made.').count()).toBe(2);
  });

  it('does not run what is denied, and sends the model the reason', async () => {
    await using chat = await realChat(place, touching);
    const { page, home, loopback } = chat;
    await say(page, 'Make it');
    await page.getByRole('button', { name: 'Deny' }).click();
    await page.getByRole('textbox', { name: 'Reason (optional)' }).fill('Not on a Sunday');
    await page.getByRole('button', { name: 'Deny', exact: true }).click();
    await page.getByText('Then not.').waitFor();
    await page.getByText('Denied').waitFor();
    expect(existsSync(path.join(home.cwd, 'made.txt'))).toBe(false);
    expect(toolResults(await loopback.received(2))[0]?.text).toContain('Not on a Sunday');
  });

  it('brings answers to questions to the model', async () => {
    const option = (label: string) => ({ label, description: `it is ${label}` });
    const questions = [
      { question: 'Which tone?', header: 'Tone', multiSelect: false, options: [option('warm'), option('brief')] },
      { question: 'Which topics?', header: 'Topics', multiSelect: true, options: [option('tea'), option('trains')] },
      { question: 'Where to?', header: 'Place', multiSelect: false, options: [option('London'), option('Turin')] },
    ];
    await using chat = await realChat(place, [toolUse('AskUserQuestion', { questions }), 'Thank you.']);
    const { page, loopback } = chat;
    await say(page, 'Write a letter');
    await page.getByRole('radio', { name: /brief/ }).check();
    await page.getByRole('checkbox', { name: /tea/ }).check();
    await page.getByRole('checkbox', { name: /trains/ }).check();
    await page.getByRole('textbox', { name: /Where to/ }).fill('the moon');
    await page.getByRole('button', { name: 'Submit' }).click();
    await page.getByText('Thank you.').waitFor();
    const [result] = toolResults(await loopback.received(2));
    for (const said of ['"Which tone?"="brief"', 'tea, trains', '"Where to?"="the moon"'])
      expect(result?.text).toContain(said);
  });

  it('brings a plan as the person edited it to the model', async () => {
    const steps: readonly ((request: ModelRequest) => TurnLike)[] = [
      () => toolUse('EnterPlanMode', {}),
      (request) => toolUse('Write', { file_path: planFile(request), content: '# Delete the slow tests' }),
      () => toolUse('ExitPlanMode', {}),
      () => 'I begin.',
    ];
    await using chat = await realChat(place, (request) => steps[request.index]?.(request) ?? 'Done.');
    const { page, loopback } = chat;
    await say(page, 'Make a plan');
    await page.getByText('Delete the slow tests').waitFor();
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('textbox', { name: 'Plan (Markdown)' }).fill('# Mend the slow tests');
    await page.getByRole('button', { name: 'Approve edited plan' }).click();
    await page.getByText('I begin.').waitFor();
    expect(toolResults(await loopback.received(4))[0]?.text).toContain('Mend the slow tests');
  });

  it('shows the whole turn after a reload in its middle, and the history after it', async () => {
    const rest = gate();
    await using chat = await realChat(place, [text(['The first half, ', rest, 'and the second.']), 'Again.']);
    const { page } = chat;
    await say(page, 'Tell me');
    await page.getByText('The first half,').waitFor();
    await page.reload();
    await page.getByText('The first half,').waitFor();
    rest.open();
    await page.getByText('The first half, and the second.').waitFor();
    const both = ['Tell me', expect.stringContaining('The first half, and the second.')];
    expect(await page.getByRole('article').allInnerTexts()).toEqual(both);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await page.reload();
    await page.getByText('The first half, and the second.').waitFor();
    expect(await page.getByRole('article').allInnerTexts()).toEqual(both);
  });

  it('asks in two pages, also in one that was reloaded, and takes what was answered first', async () => {
    await using chat = await realChat(place, touching);
    const { page } = chat;
    await say(page, 'Make it');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await page.reload();
    await allow.waitFor();
    const { page: second } = await place.visit(page.url());
    await second.getByRole('button', { name: 'Allow once' }).waitFor();
    await allow.click();
    await second.getByText('It is made.').waitFor();
    expect(await second.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    await second.getByText('Done', { exact: true }).waitFor();
  });

  it('stops a turn, and the next one is answered', async () => {
    await using chat = await realChat(place, [text(['One, two, ', gate(), 'three.']), 'Yes, still here.']);
    const { page } = chat;
    await say(page, 'Count');
    await page.getByText('One, two,').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await say(page, 'Are you there?');
    await page.getByText('Yes, still here.').waitFor();
  });

  it('answers a message that was queued too late for the turn', async () => {
    const rest = gate();
    await using chat = await realChat(place, [text(['I paint it ', rest, 'red.']), 'Blue, then.']);
    const { page } = chat;
    await say(page, 'Paint it');
    await page.getByText('I paint it').waitFor();
    await page.getByRole('textbox', { name: 'Message' }).fill('Rather blue');
    await page.getByRole('textbox', { name: 'Message' }).press('Enter');
    await page.getByText('Queued').waitFor();
    rest.open();
    await page.getByText('Blue, then.').waitFor();
    await page.getByText('Queued').waitFor({ state: 'detached' });
    expect(await page.getByText('Rather blue').count()).toBe(1);
  });

  it('sends the model an image that is attached, and shows it, also after a reload', async () => {
    await using chat = await realChat(place, ['A green dot.']);
    const { page, loopback } = chat;
    const buffer = Buffer.from(dot, 'base64');
    await page.getByLabel('Files', { exact: true }).setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer });
    await page.getByRole('list', { name: 'Attachments' }).getByText('dot.png').waitFor();
    await place.picture(page, 'attachment');
    await say(page, 'What is this?');
    await page.getByText('A green dot.').waitFor();
    expect(JSON.stringify((await loopback.received(1)).body.messages)).toContain(dot);
    await page.reload();
    await page.getByRole('article', { name: 'You' }).getByRole('img').waitFor();
    expect(await page.getByRole('list', { name: 'Attachments' }).count()).toBe(0);
  });

  it('shows what to do about a key that the service refuses', async () => {
    await using chat = await realChat(place, [apiError(401, { message: 'invalid x-api-key', times: 50 })]);
    const { page } = chat;
    await say(page, 'Hello');
    const alert = page.getByRole('alert');
    await alert.getByText('refused the credentials').waitFor();
    await alert.getByText('Set ANTHROPIC_API_KEY').waitFor();
    await place.picture(page, 'refused-key');
  });

  it('continues with a turn whose agent was killed, when the person says so', async () => {
    let isFirst = true;
    await using chat = await realChat(place, () => {
      const held = isFirst ? gate() : undefined;
      isFirst = false;
      return text(held === undefined ? ['The whole answer.'] : ['The first half, ', held]);
    });
    const { page, home } = chat;
    await say(page, 'Tell me');
    await page.getByText('The first half,').waitFor();
    for (const { pid } of processesMentioning(home.root)) process.kill(pid, 'SIGKILL');
    await page.getByText('The agent was interrupted before it finished.').waitFor();
    // Once, and not as an error as well.
    expect(await page.getByRole('alert').count()).toBe(0);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('The whole answer.').waitFor();
    expect([await page.getByRole('alert').count(), await page.getByRole('article', { name: 'You' }).count()]).toEqual([
      0, 1,
    ]);
    await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
  });

  it('shows what a subagent does below the call that started it', async () => {
    const start = toolUse('Agent', {
      description: 'Look round',
      prompt: 'LIST THE FILES',
      subagent_type: 'general-purpose',
      run_in_background: false,
    });
    await using chat = await realChat(place, (request) => {
      const isHelper = JSON.stringify(request.body.messages[0]).includes('LIST THE FILES');
      const isDone = toolResults(request).length > 0;
      if (isHelper) return isDone ? 'I saw them.' : toolUse('Bash', { command: 'ls', description: 'Lists' });
      return isDone ? 'The helper is back.' : start;
    });
    const { page } = chat;
    await say(page, 'Send a helper');
    await page.getByText('The helper is back.').waitFor();
    await page.getByText('Look round').click();
    await page.locator('.nested').getByText('Bash').waitFor();
    await place.picture(page, 'real-subagent');
  });
}

/** The prompt of the CLI names the file for the plan. */
function planFile({ body }: ModelRequest): string {
  const [file] = /\/[\w./-]+\/plans\/[\w.-]+\.md/.exec(JSON.stringify(body)) ?? [];
  if (file === undefined) throw new Error('The prompt names no file for the plan.');
  return file;
}
