import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { apiError, text, toolResults, toolUse, type ModelRequest, type TurnLike } from '@hexagent/testing/loopback';
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

  it('shows what a command writes while it runs, and then all of it', async () => {
    // It needs no permission. The page has the command too: what it writes is not in there.
    const command = 'echo "$((40 + 2)) tests"; until [ -e go ]; do sleep 0.05; done; echo "$((50 + 5)) passed"';
    await using chat = await realChat(place, [toolUse('Bash', { command }), 'All pass.']);
    const { page, home } = chat;
    await say(page, 'Run the tests');
    await page.getByText('42 tests').waitFor();
    expect(await page.getByText('Running', { exact: true }).count()).toBe(1);
    await page.getByText('So far', { exact: true }).waitFor();
    expect(await page.getByText('55 passed').count()).toBe(0);
    await place.picture(page, 'running-output');
    await writeFile(path.join(home.cwd, 'go'), '');
    await page.getByText('All pass.').waitFor();
    await page.getByText('Done', { exact: true }).click();
    await page.getByText('55 passed').waitFor();
    expect(await page.getByText('42 tests').count()).toBe(1);
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
    expect(await page.getByText('Stopped').count()).toBe(0);
    await place.picture(page, 'refused-key');
  });
}
