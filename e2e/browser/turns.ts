import { expect, it } from 'vitest';
import { figures, outputChunk, reasoningChunks, textChunks, toolChunks } from './chunks.ts';
import { field, say, type Place } from './place.ts';
import { StandIn, type TurnScript } from './stand-in.ts';

export function turns(place: Place): void {
  const open = async (script: TurnScript) => {
    const standIn = new StandIn(script);
    const { url } = await place.serve(standIn.handle);
    return { standIn, url, ...(await place.visit(url)) };
  };

  it('begins with an example, without an error in the console, and is in the address from then on', async () => {
    const { page, errors } = await open(async ({ write, text }) =>
      write(...textChunks('t', `About "${text}".`), figures),
    );
    await page.locator('#message:focus').waitFor();
    expect(new URL(page.url()).hash).toBe('');
    await page.getByRole('button', { name: /What is in this folder/ }).click();
    await page.getByText('About "What is in this folder?".').waitFor();
    await page.locator('#message:focus').waitFor();
    await page.reload();
    await page.getByText('About "What is in this folder?".').waitFor();
    expect(errors).toEqual([]);
    await page.getByRole('button', { name: 'New chat' }).click();
    await page.getByRole('button', { name: /Find a bug/ }).waitFor();
    await page.goBack();
    await page.getByText('About "What is in this folder?".').waitFor();
    expect(errors).toEqual([]);
  });

  it('shows text as it comes, reasoning folded, and what the turn cost', async () => {
    const rest = Promise.withResolvers<void>();
    const { page } = await open(async ({ write }) => {
      write({ type: 'start-step' }, ...reasoningChunks('r', 'They want to know about tests.'));
      write(
        { type: 'text-start', id: 't' },
        { type: 'text-delta', id: 't', delta: 'Two of the tests are **slow**:\n\n' },
      );
      await rest.promise;
      const text =
        '1. `parser.test.ts` takes 4.1 s\n2. `load.test.ts` takes 3.2 s\n\n```sh\npnpm vitest run parser\n```\n';
      write({ type: 'text-delta', id: 't', delta: text }, { type: 'text-end', id: 't' }, figures);
    });
    await place.picture(page, 'empty');
    await say(page, 'Which tests are slow?');
    await page.getByText('Two of the tests are').waitFor();
    expect(await page.getByText('They want to know about tests.').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Stop', exact: true }).isVisible()).toBe(true);
    rest.resolve();
    await page.getByText('load.test.ts').waitFor();
    await page.getByText('3.2 s · 2.5k tokens · $0.0042').waitFor();
    await place.picture(page, 'answered');
    await page.getByText('Thoughts').click();
    await page.getByText('They want to know about tests.').waitFor();
    expect(await page.getByRole('definition').filter({ hasText: '$0.0042' }).count()).toBe(1);
  });

  it('shows the input of a tool while it is written, what a subagent does below its call, and results', async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const dynamic = { dynamic: true, providerExecuted: true } as const;
    const { page } = await open(async ({ write }) => {
      write(...textChunks('a', 'I will look, and have a helper read the tests.'));
      write({ type: 'tool-input-start', toolCallId: 'w', toolName: 'Write', ...dynamic });
      write({
        type: 'tool-input-delta',
        toolCallId: 'w',
        inputTextDelta: '{"file_path":"notes.md","content":"# Slow te',
      });
      await steps[0].promise;
      const input = { file_path: 'notes.md', content: '# Slow tests' };
      write({ type: 'tool-input-available', toolCallId: 'w', toolName: 'Write', input, ...dynamic });
      write(outputChunk('w', 'File created.'));
      write(...toolChunks('task', 'Task', { description: 'Read the tests', prompt: 'Read them all.' }));
      write(...toolChunks('grep', 'Grep', { pattern: 'setTimeout' }, 'task'));
      write(outputChunk('grep', 'load.test.ts:14'));
      write({
        type: 'data-subagent-text',
        id: 's',
        data: { text: 'One test waits for a timer.', parentToolCallId: 'task' },
      });
      await steps[1].promise;
      write(outputChunk('task', 'One test waits for a timer.'), ...textChunks('b', 'One of them sleeps.'), figures);
    });
    await say(page, 'Why are they slow?');
    await page.getByText('"# Slow te').waitFor();
    await place.picture(page, 'tool-input');
    steps[0].resolve();
    await page.getByText('setTimeout').waitFor();
    await page.getByText('One test waits for a timer.').waitFor();
    await place.picture(page, 'subagent');
    steps[1].resolve();
    await page.getByText('One of them sleeps.').waitFor();
    await page.getByText('notes.md').click();
    await page.getByText('File created.').waitFor();
    await place.picture(page, 'tool-result');
  });

  it('stops the turn with a click and with Escape', async () => {
    const { page } = await open(async ({ write, signal, text }) => {
      write({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: `Counting for ${text}: 1, 2, 3` });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    await say(page, 'Ada');
    await page.getByText('Counting for Ada').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await say(page, 'Bob');
    await page.getByText('Counting for Bob').waitFor();
    await field(page).press('Escape');
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('shows that a turn could not be stopped, until it has ended', async () => {
    const rest = Promise.withResolvers<void>();
    const standIn = new StandIn(async ({ write }) => {
      write(...textChunks('t', 'I work.'));
      await rest.promise;
      write(figures);
    });
    const refused = { error: { code: 'NO_WORKER', message: 'No worker answers.', remedy: 'Try again in a moment.' } };
    const { url } = await place.serve(async (request) =>
      request.url.endsWith('/interrupt') ? Response.json(refused, { status: 503 }) : await standIn.handle(request, {}),
    );
    const { page } = await place.visit(url);
    await say(page, 'Hello');
    await page.getByText('I work.').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByRole('alert').getByText('No worker answers.').waitFor();
    rest.resolve();
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('shows a failed turn once, with what to do about it, and sends its message again', async () => {
    let turn = 0;
    const { page, standIn } = await open(async ({ write }) => {
      turn += 1;
      if (turn > 1) return write(...textChunks('t', 'It works now.'), figures);
      const [message, remedy] = ['Invalid API key.', 'Set ANTHROPIC_API_KEY to one that is valid.'];
      // The agent writes why a turn failed as its answer, too.
      write(...textChunks('t', message));
      write({ type: 'finish', finishReason: 'error', messageMetadata: { failure: { message, remedy } } });
      write({ type: 'error', errorText: `${message}\n${remedy}` });
      return undefined;
    });
    await say(page, 'Hello');
    const alert = page.getByRole('alert');
    await alert.getByText('Invalid API key.', { exact: true }).waitFor();
    await alert.getByText('Set ANTHROPIC_API_KEY to one that is valid.').waitFor();
    await place.picture(page, 'failed');
    expect(await page.getByText('Invalid API key.').count()).toBe(1);
    await alert.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('It works now.').waitFor();
    expect([await alert.count(), await field(page).inputValue()]).toEqual([0, '']);
    expect(await page.getByText('Invalid API key.').count()).toBe(1);
    const [{ id } = { id: '' }] = await standIn.chats.list({ limit: 1, offset: 0 }, { name: 'ada' });
    expect(standIn.chats.receivedBy(id).map(({ content }) => content)).toEqual(['Hello', 'Hello']);
  });

  it('queues what is sent while the agent works, until the agent takes it up', async () => {
    const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const { page, standIn } = await open(async ({ write }) => {
      write(...textChunks('a', 'I paint it red.'));
      await steps[0].promise;
      const [chat = ''] = (await standIn.chats.list({ limit: 1, offset: 0 }, { name: 'ada' })).map(({ id }) => id);
      const { id = '' } = standIn.chats.receivedBy(chat).at(-1) ?? {};
      write({ type: 'steering-message', id, parts: [{ type: 'text', text: 'Rather blue' }] });
      write(...textChunks('b', 'Blue, then.'));
      await steps[1].promise;
      write(figures);
    });
    await say(page, 'Paint it');
    await page.getByText('I paint it red.').waitFor();
    await field(page).fill('Rather blue');
    await field(page).press('Enter');
    const queued = page.getByRole('article', { name: 'You, queued' });
    await queued.getByText('Rather blue').waitFor();
    expect(await field(page).inputValue()).toBe('');
    await place.picture(page, 'queued');
    steps[0].resolve();
    await page.getByText('Blue, then.').waitFor();
    await queued.waitFor({ state: 'detached' });
    expect(await page.getByText('Rather blue').count()).toBe(1);
    steps[1].resolve();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'detached' });
  });

  it('copies an answer, and the code in it', async () => {
    const answer = 'Run **this**:\n\n```sh\npnpm test\n```';
    const { page, context } = await open(async ({ write }) => write(...textChunks('t', answer), figures));
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await say(page, 'Hello');
    await page.getByRole('button', { name: 'Copy answer' }).click();
    const copied = (): Promise<unknown> => page.evaluate('navigator.clipboard.readText()');
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await copied()).toBe(answer);
    await page.getByRole('button', { name: 'Copy code' }).click();
    await expect.poll(copied).toBe('pnpm test');
  });

  it('gives back a message that the server did not take, with what to do about it', async () => {
    const refused = { error: { code: 'NO_ROOM', message: 'All places are taken.', remedy: 'Try again later.' } };
    const standIn = new StandIn(async () => {});
    const { url } = await place.serve(async (request) =>
      request.method === 'POST' ? Response.json(refused, { status: 503 }) : standIn.handle(request, {}),
    );
    const { page } = await place.visit(url);
    await say(page, 'Write me a poem');
    await page.getByRole('alert').getByText('All places are taken.').waitFor();
    await page.getByRole('alert').getByText('Try again later.').waitFor();
    await expect.poll(() => field(page).inputValue()).toBe('Write me a poem');
    await page.getByRole('article').first().waitFor({ state: 'detached' });
  });
}
