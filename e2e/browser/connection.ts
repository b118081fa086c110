import { expect, it, vi } from 'vitest';
import type { Handle } from '../../examples/chat/serve.ts';
import { figures, outputChunk, textChunks, toolChunks } from './chunks.ts';
import { field, say, type Place } from './place.ts';
import { StandIn, type TurnScript } from './stand-in.ts';

/** Requests a command, and continues with the answer. */
const asking: TurnScript = async ({ write, ask }) => {
  write(...toolChunks('b', 'Bash', { command: 'make release' }));
  const { approved } = await ask('ask-1', 'b', { kind: 'permission', suggestions: [] });
  write({ type: 'tool-approval-response', approvalId: 'ask-1', approved });
  write(outputChunk('b', 'released'), ...textChunks('t', 'It is released.'), figures);
};

export function connection(place: Place): void {
  const open = async (script: TurnScript) => {
    const standIn = new StandIn(script);
    const { url } = await place.serve(standIn.handle);
    return { standIn, url, ...(await place.visit(url)) };
  };

  it('shows the whole turn after a reload in its middle, once', async () => {
    const rest = Promise.withResolvers<void>();
    const { page } = await open(async ({ write }) => {
      write({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'The first half, ' });
      await rest.promise;
      write({ type: 'text-delta', id: 't', delta: 'and the second.' }, { type: 'text-end', id: 't' }, figures);
    });
    await say(page, 'Tell me');
    await page.getByText('The first half,').waitFor();
    await page.reload();
    await page.getByText('The first half,').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    rest.resolve();
    await page.getByText('The first half, and the second.').waitFor();
    expect(await page.getByRole('article').allInnerTexts()).toEqual([
      'Tell me',
      expect.stringContaining('The first half'),
    ]);
  });

  it('asks again after a reload while it waits for an answer', async () => {
    const { page, standIn } = await open(asking);
    await say(page, 'Release it');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    await page.reload();
    await allow.click();
    await page.getByText('It is released.').waitFor();
    expect(standIn.answers).toHaveLength(1);
  });

  it('asks in two pages, and takes what was answered first', async () => {
    const { page, url, standIn } = await open(asking);
    await say(page, 'Release it');
    const allow = page.getByRole('button', { name: 'Allow once' });
    await allow.waitFor();
    const { page: second } = await place.visit(page.url());
    expect(second.url()).toContain(url);
    await second.getByRole('button', { name: 'Allow once' }).waitFor();
    await allow.click();
    await second.getByText('It is released.').waitFor();
    expect(await second.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    await second.getByText('Done', { exact: true }).waitFor();
    expect(standIn.answers).toHaveLength(1);
  });

  it('follows a turn that another page has begun', async () => {
    const rest = Promise.withResolvers<void>();
    const { page } = await open(async ({ write, text }) => {
      write(...textChunks('t', `To ${text}.`));
      if (text === 'two') await rest.promise;
    });
    await say(page, 'one');
    await page.getByText('To one.').waitFor();
    const { page: second } = await place.visit(page.url());
    await second.getByText('To one.').waitFor();
    await say(page, 'two');
    await second.getByText('To two.').waitFor();
    expect(await second.getByRole('article').count()).toBe(4);
    rest.resolve();
  });

  it('keeps what a turn took when a list shows it as running a moment longer', async () => {
    const standIn = new StandIn(async ({ write }) => write(...textChunks('a', 'It is done.'), figures));
    let isLate = false;
    let joins = 0;
    const { url } = await place.serve(async (request, facts) => {
      const response = await standIn.handle(request, facts);
      const { pathname } = new URL(request.url);
      if (isLate && pathname.endsWith('/stream')) joins += 1;
      if (isLate && pathname.endsWith('/sessions')) return await changed(response, 'sessions', { state: 'running' });
      // What is stored of a real turn has no figures.
      return pathname.endsWith('/messages') ? await changed(response, 'messages', { metadata: undefined }) : response;
    });
    const { page } = await place.visit(url);
    await say(page, 'Hello');
    await page.getByText(/tokens/).waitFor();
    isLate = true;
    await vi.waitUntil(() => joins > 0, { timeout: 30_000 });
    expect(await page.getByText(/tokens/).count()).toBe(1);
  });

  it('shows an answer that ended between the requests for the history and for the running turn', async () => {
    const rest = Promise.withResolvers<void>();
    const standIn = new StandIn(async ({ write }) => {
      write(...textChunks('a', 'It takes a while, '));
      await rest.promise;
      write(...textChunks('b', 'and is done.'), figures);
    });
    let reloaded = false;
    const { url } = await place.serve(async (request, facts) => {
      if (reloaded && new URL(request.url).pathname.endsWith('/stream')) {
        rest.resolve();
        const [, , , chat = ''] = new URL(request.url).pathname.split('/');
        await vi.waitUntil(() => standIn.chats.turnOf(chat) === undefined, { timeout: 30_000 });
      }
      return await standIn.handle(request, facts);
    });
    const { page } = await place.visit(url);
    await say(page, 'Tell me');
    await page.getByText('It takes a while,').waitFor();
    reloaded = true;
    await page.reload();
    await page.getByText('and is done.').waitFor();
  });

  it('reports that the server does not answer, also where nothing ran, and sends nothing until it does', async () => {
    const standIn = new StandIn(async ({ write, text }) => write(...textChunks('t', `To ${text}.`), figures));
    const server = await place.serve(standIn.handle);
    const { page } = await place.visit(server.url);
    await say(page, 'one');
    await page.getByText('To one.').waitFor();
    await server.close();
    const away = page.getByRole('status').filter({ hasText: 'The server is not responding. Reconnecting…' });
    await away.waitFor();
    await field(page).fill('two');
    expect(await page.getByRole('button', { name: 'Send' }).isDisabled()).toBe(true);
    await field(page).press('Enter');
    expect(await page.getByText('The agent may have stopped.').count()).toBe(0);
    await place.serve(standIn.handle, { port: Number(new URL(server.url).port) });
    await page.getByRole('button', { name: 'Try now' }).click();
    await away.waitFor({ state: 'detached' });
    await field(page).press('Enter');
    await page.getByText('To two.').waitFor();
  });

  it('leaves a chat deleted that another page has deleted', async () => {
    const standIn = new StandIn(async ({ write, text }) => write(...textChunks('t', `To ${text}.`), figures));
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url);
    await say(page, 'one');
    await page.getByText('To one.').waitFor();
    const { page: second } = await place.visit(page.url());
    await second.getByText('To one.').waitFor();
    const list = () => standIn.chats.list({ limit: 9, offset: 0 }, { name: 'ada' });
    await field(second).fill('two');
    const [{ id } = { id: '' }] = await list();
    await standIn.chats.delete(id, { name: 'ada' });
    await field(second).press('Enter');
    for (const each of [page, second]) await each.getByText('This chat was deleted.').waitFor();
    expect([await list(), await field(second).inputValue()]).toEqual([[], 'two']);
    await second.reload();
    await second.getByText('This chat does not exist.').waitFor();
    await second.getByRole('button', { name: 'New chat' }).last().click();
    await second.getByText('What should the agent do?').waitFor();
  });

  it.each(['held', 'crashed'] as const)('continues with what was cut off, or discards it: %s', async (state) => {
    let turns = 0;
    const standIn = new StandIn(async ({ write }) => {
      turns += 1;
      write(...textChunks('t', `Answer ${turns}.`), figures);
    });
    const { url } = await place.serve(standIn.handle);
    const { page } = await place.visit(url);
    await say(page, 'Hello');
    await page.getByText('Answer 1.').waitFor();
    const stateOf = async () => await standIn.chats.list({ limit: 1, offset: 0 }, { name: 'anybody' });
    const hold = async (): Promise<void> => {
      for (const { id } of await stateOf()) standIn.chats.hold(id, state);
      await page.reload();
      await page.getByRole('button', { name: 'Continue' }).waitFor();
    };
    await hold();
    await place.picture(page, state);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Answer 2.').waitFor();
    await page.getByRole('button', { name: 'Continue' }).waitFor({ state: 'detached' });
    await hold();
    await page.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Discard' }).waitFor({ state: 'detached' });
    expect([await stateOf(), turns]).toMatchObject([[{ state: 'idle' }], 2]);
  });

  it('catches up once it is online again', async () => {
    const rest = Promise.withResolvers<void>();
    const standIn = new StandIn(async ({ write }) => {
      write({ type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Before the tunnel, ' });
      await rest.promise;
      write({ type: 'text-delta', id: 't', delta: 'after the tunnel.' }, { type: 'text-end', id: 't' }, figures);
    });
    const line = breakable(standIn.handle);
    const { url } = await place.serve(line.handle, {
      onError: (error) => expect(String(error)).toContain('The line is cut.'),
    });
    const { page, context } = await place.visit(url);
    await say(page, 'Tell me');
    await page.getByText('Before the tunnel,').waitFor();
    await context.setOffline(true);
    line.drop();
    await page.getByText('You are offline.').waitFor();
    await place.picture(page, 'offline');
    await context.setOffline(false);
    rest.resolve();
    await page.getByText('Before the tunnel, after the tunnel.').waitFor();
    await page.getByText('You are offline.').waitFor({ state: 'detached' });
    expect(await page.getByRole('article').count()).toBe(2);
  });
}

/** A handler whose responses can be cut off, as where a network goes away. */
function breakable(handle: Handle): { readonly handle: Handle; drop(): void } {
  const open = new Set<TransformStreamDefaultController>();
  return {
    async handle(request, facts) {
      const response = await handle(request, facts);
      if (response.body === null) return response;
      const pipe = new TransformStream({ start: (controller) => void open.add(controller) });
      response.body.pipeTo(pipe.writable).catch(() => {}); // it was cut off
      return new Response(pipe.readable, { status: response.status, headers: response.headers });
    },
    drop() {
      for (const controller of open) controller.error(new Error('The line is cut.'));
      open.clear();
    },
  };
}

/** The response with other fields in each item of its list. */
async function changed(response: Response, name: string, fields: object): Promise<Response> {
  const body = (await response.json()) as Record<string, readonly object[]>; // as the README of http-chat says
  return Response.json({ ...body, [name]: body[name]?.map((item) => ({ ...item, ...fields })) });
}
