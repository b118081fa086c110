import { once } from 'node:events';
import { describe, expect, inject, it } from 'vitest';
import { startServer } from '../postgres/servers.ts';
import { fleetIn, page, textOf, type Fleet, type Member } from './fleet.ts';

const [server] = inject('servers');

/** Quicker than by default, for a test that waits for it. */
const hosting = { takeoverGraceMs: 200, sweepMs: 500 };

async function killedInATurn(fleet: Fleet): Promise<{ readonly gateway: Member; readonly first: Member }> {
  const [gateway] = await Promise.all([fleet.gateway(), fleet.worker(), fleet.worker()]);
  const answer = await page.send(gateway, 'chat', 'task');
  const first = (await fleet.holder('chat'))!;
  await expect.poll(() => first.ran).toEqual(['task']);
  await first.kill();
  await expect(answer.text()).rejects.toThrow('terminated');
  return { gateway, first };
}

describe.skipIf(server === undefined)('A fleet', () => {
  it('answers each message of a page at any gateway, with one agent for each chat', async () => {
    await using fleet = fleetIn(server!);
    const [one, two] = await Promise.all([fleet.gateway(), fleet.gateway(), fleet.worker(), fleet.worker()]);
    const chats = Array.from({ length: 8 }, (_, at) => `chat-${at}`);
    const texts = await Promise.all(
      chats.map(async (chat, at) => await textOf(await page.send(at % 2 === 0 ? one : two, chat, `task ${at}`))),
    );
    expect(texts).toEqual(chats.map((_, at) => `I did task ${at}.`));
    expect(await textOf(await page.send(two, 'chat-0', 'task 8'))).toBe('I did task 8.');
    expect(fleet.ran.toSorted()).toEqual(Array.from({ length: 9 }, (_, at) => `task ${at}`));
    const listed = await page.chats(one);
    expect(listed.map(({ id, state }) => [id, state]).toSorted()).toEqual(chats.map((chat) => [chat, 'idle']));
  });

  it('gives a page that lost its gateway in a turn the rest of it at another one, by `Last-Event-ID`', async () => {
    await using fleet = fleetIn(server!, { turnMs: 500 });
    const [one, two] = await Promise.all([fleet.gateway(), fleet.gateway(), fleet.worker(), fleet.worker()]);
    const began = await page.send(one, 'chat', 'task');
    const reader = began.body!.pipeThrough(new TextDecoderStream()).getReader();
    const seen = (await reader.read()).value ?? '';
    const id = /^id: ?(.+)$/m.exec(seen)?.[1] ?? '';
    expect(id).not.toBe('');
    await one.kill();
    await reader.cancel().catch(() => {});
    await expect.poll(async () => (await page.chats(two))[0]?.state).toBe('idle');
    // A page that has not seen the turn does not get it any more.
    expect((await page.stream(two, 'chat')).status).toBe(204);
    expect(await textOf(await page.stream(two, 'chat', id))).toBe('I did task.');
  });

  it('takes an answer to an approval at a gateway that did not show it', async () => {
    await using fleet = fleetIn(server!);
    const [one, two] = await Promise.all([fleet.gateway(), fleet.gateway(), fleet.worker()]);
    // On a busy machine the answer of the worker may be lost: then the page asks for the turn of its message, which is stored.
    const text = page
      .send(one, 'chat', 'ask me')
      .then(async (sent) => await textOf(sent.status === 202 ? await page.stream(one, 'chat') : sent));
    let approval = '';
    await expect
      .poll(async () => {
        const stream = await page.stream(two, 'chat');
        const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
        const { value = '' } = (await reader?.read()) ?? {};
        await reader?.cancel();
        approval = /"approvalId":"([^"]+)"/.exec(value)?.[1] ?? '';
        return approval;
      })
      .not.toBe('');
    expect(await page.chats(two)).toMatchObject([{ id: 'chat', state: 'awaiting-approval' }]);
    const settled = await page.post(two, `chat/chat/approvals/${approval}`, { approved: true });
    expect(await settled.json()).toEqual({ settled: true });
    expect(await text).toBe('I did ask me.');
    expect((await page.post(one, `chat/chat/approvals/${approval}`, { approved: true })).status).toBe(409);
  });

  it('continues a turn whose worker is killed by itself, with `autoResume`', async () => {
    await using fleet = fleetIn(server!, { turnMs: 1000, hosting: { ...hosting, autoResume: 'continue' } });
    const { gateway, first } = await killedInATurn(fleet);
    await expect.poll(() => fleet.ran.length).toBe(2);
    const second = await fleet.holder('chat');
    expect([second?.ran, second === first]).toEqual([['task'], false]);
    expect(await textOf(await page.stream(gateway, 'chat'))).toBe('I did task.');
  });

  it('holds a turn whose worker is killed until a person continues it', async () => {
    await using fleet = fleetIn(server!, { turnMs: 1000, hosting });
    const { gateway } = await killedInATurn(fleet);
    await expect.poll(() => page.chats(gateway)).toMatchObject([{ id: 'chat', state: 'held' }]);
    expect(await (await page.post(gateway, 'chat/chat/restart')).json()).toEqual({ restarted: true });
    expect(await textOf(await page.stream(gateway, 'chat'))).toBe('I did task.');
    expect(fleet.ran).toEqual(['task', 'task']);
  });

  it('refuses no message while one worker after the other is drained', async () => {
    await using fleet = fleetIn(server!, { turnMs: 100 });
    const [gateway] = await Promise.all([fleet.gateway(), fleet.worker(), fleet.worker(), fleet.worker()]);
    const statuses: number[] = [];
    const sent: string[] = [];
    const over = new AbortController();
    const load = Array.from({ length: 6 }, async (_, chat) => {
      for (let at = 0; !over.signal.aborted; at += 1) {
        const text = `${chat} ${at}`;
        sent.push(text);
        const response = await page.send(gateway, `chat-${chat}`, text);
        statuses.push(response.status);
        await response.text().catch(() => {});
        await expect.poll(() => fleet.ran).toContain(text);
      }
    });
    try {
      for (const chat of ['chat-0', 'chat-1']) {
        await expect.poll(async () => (await fleet.holder(chat))?.ran.length ?? 0).toBeGreaterThan(0);
        const worker = (await fleet.holder(chat))!;
        const exited = once(worker.process, 'exit');
        worker.drain();
        worker.process.stdin?.end();
        await exited;
        await fleet.worker();
      }
    } finally {
      over.abort();
      await Promise.all(load);
    }
    expect(new Set(statuses).difference(new Set([200, 202]))).toEqual(new Set());
    await expect.poll(() => fleet.ran.toSorted()).toEqual(sent.toSorted());
  });

  it('has pages try again while the database is away, and takes their messages once it is back', async () => {
    await using own = await startServer(server!.kind);
    await using fleet = fleetIn(own.address, { leaseMs: 30_000 });
    const [gateway] = await Promise.all([fleet.gateway(), fleet.worker()]);
    expect(await textOf(await page.send(gateway, 'chat', 'one'))).toBe('I did one.');
    // A page sees the end of a turn a moment before it is stored.
    const { outbox } = fleet.place.open();
    await expect.poll(() => outbox.pending('chat')).toEqual([]);
    await own.stop();
    const id = crypto.randomUUID();
    const answers = [page.send(gateway, 'chat', 'two', id), page.stream(gateway, 'chat')];
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1']);
      expect(await answer.json()).toMatchObject({ error: { code: 'NO_STORE' } });
    }
    await own.start();
    await expect.poll(async () => await textOf(await page.send(gateway, 'chat', 'two', id))).toBe('I did two.');
    expect(fleet.ran).toEqual(['one', 'two']);
  });

  it('keeps a tenant to its agents over all workers', async () => {
    await using fleet = fleetIn(server!, { turnMs: 300, hosting: { maxLivePerTenant: 2 }, leaseMs: 30_000 });
    const [gateway] = await Promise.all([fleet.gateway(), fleet.worker(), fleet.worker(), fleet.worker()]);
    const chats = Array.from({ length: 6 }, (_, at) => `chat-${at}`);
    const before = performance.now();
    const texts = await Promise.all(chats.map(async (chat) => await textOf(await page.send(gateway, chat, chat))));
    expect(texts).toEqual(chats.map((chat) => `I did ${chat}.`));
    expect(performance.now() - before).toBeGreaterThan(3 * 300);
  });
});
