import { appendFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApprovalFiles, DirectoryFiles, LeaseFiles, OutboxFiles } from '../src/index.ts';
import { place } from './place.ts';
import { newestOf, record, segmentsOf, settledWith } from './stored-approvals.ts';

describe('Files of a store', () => {
  it('can be read by their owner alone, and are made when something is stored', async () => {
    await using here = await place();
    const folder = join(here.folder, 'new');
    await using store = new ApprovalFiles({ folder });
    await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' });
    await store.add(record('a'));
    await settledWith(store, 'a');
    expect((await stat(await newestOf(folder))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'audit.jsonl'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'approvals'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['the half of a line', '\n{"c":{"t":"add","record":{"id":"b"'],
    ['a line that is none', '\nnot JSON at all\n'],
    ['what a disk leaves that lost its power', `\n${'\0'.repeat(4096)}`],
    ['a change of another version', '\n{"c":{"t":"unheard of","id":"a"}}\n'],
    [
      'a request without its tool',
      '\n{"c":{"t":"add","record":{"id":"b","session":"s","kind":"permission","state":"open","input":{}}}}\n',
    ],
    ['a value that is no change', '\n{"c":null}\n{"c":7}\n{"c":{"t":"add"}}\n[1]\n7\n{"c":{"t":"settle","id":"a"}}\n'],
  ])('lose nothing to %s, also what comes behind it', async (_, text) => {
    await using here = await place();
    {
      await using store = new ApprovalFiles(here);
      await store.add(record('a'));
    }
    await appendFile(await newestOf(here.folder), text);
    await using store = new ApprovalFiles({ ...here, compactAfterBytes: 300 });
    expect(await store.list()).toMatchObject([{ id: 'a', state: 'open' }]);
    await store.add(record('c'));
    expect(await settledWith(store, 'a')).toBe('settled');
    await using again = new ApprovalFiles(here);
    expect(await again.list()).toMatchObject([
      { id: 'a', state: 'answered' },
      { id: 'c', state: 'open' },
    ]);
  });

  it.each(['"x"', '-5', 'null'])('store answers behind an invalid length of the audit: %s', async (bytes) => {
    await using here = await place();
    {
      await using store = new ApprovalFiles(here);
      await store.add(record('a'));
      await settledWith(store, 'a');
    }
    await appendFile(await newestOf(here.folder), `\n{"c":{"t":"audited","bytes":${bytes}}}\n`);
    await using store = new ApprovalFiles({ ...here, compactAfterBytes: 10 });
    await store.add(record('b'));
    expect(await settledWith(store, 'b')).toBe('settled');
    await using again = new ApprovalFiles(here);
    expect((await Array.fromAsync(again.audit())).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  it.each([
    ['a session without its messages', '{"t":"session","session":"s","fence":9}'],
    ['a session whose messages are none', '{"t":"session","session":"s","fence":9,"done":{},"pending":[7]}'],
    ['a message without its text', '{"t":"enqueue","session":"s","uuid":"u","fence":9}'],
    ['a lease that is none', '{"t":"delete","session":"s","fence":"x"}'],
    ['a state that is none', '{"t":"mark","session":"s","uuid":"a","fence":9,"state":"lost"}'],
    ['a message whose content is none', '{"t":"enqueue","session":"s","uuid":"u","fence":9,"input":{"content":5}}'],
    [
      'a pending message without a state',
      '{"t":"session","session":"s","fence":9,"done":{},"pending":[{"uuid":"u","input":{"content":""}}]}',
    ],
    ['a count that is none', '{"t":"session","session":"s","fence":9,"last":"x","done":{},"pending":[]}'],
    ['an outcome that is none', '{"t":"session","session":"s","fence":9,"done":{"u":"lost"},"pending":[]}'],
  ])('lose no message to %s', async (_, change) => {
    await using here = await place();
    const message = (uuid: string): Parameters<OutboxFiles['enqueue']>[0] => ({
      session: 's',
      uuid,
      input: { content: 'hi' },
    });
    {
      await using store = new OutboxFiles(here);
      await store.enqueue(message('a'));
    }
    await appendFile(await newestOf(here.folder, 'outbox'), `\n{"c":${change}}\n`);
    await using store = new OutboxFiles(here);
    expect(await store.enqueue(message('b'))).toEqual({ kind: 'accepted', number: 2 });
    expect((await store.pending('s')).map(({ uuid }) => uuid)).toEqual(['a', 'b']);
  });

  it.each([
    ['nothing', {}],
    ['the record of another session', { id: 'other' }],
    ['an id of the agent that is none', { sessionId: 5 }],
    ['a tenant that is none', { tenant: null }],
    ['no facts', { facts: null }],
    ['a time that is none', { updatedAt: '1' }],
    ['a state of the transcript that is none', { begun: 'later' }],
  ])('lose no session to a record with %s', async (_, changes) => {
    await using here = await place();
    const kept = { id: 's', sessionId: 'uuid', begun: 'no', createdAt: 1, updatedAt: 1, facts: {} } as const;
    {
      await using store = new DirectoryFiles(here);
      await store.put(kept, 1);
    }
    const odd = Object.keys(changes).length === 0 ? {} : { ...kept, ...changes };
    const line = JSON.stringify({ c: { t: 'put', id: 's', fence: 1, record: odd } });
    await appendFile(await newestOf(here.folder, 'sessions'), `\n${line}\n`);
    await using store = new DirectoryFiles(here);
    expect(await store.list()).toEqual([kept]);
  });

  it('are replaced by what they came to, and do not grow with what is over', async () => {
    await using here = await place();
    await using store = new ApprovalFiles({ ...here, compactAfterBytes: 10_000, maxSettled: 3 });
    await store.add(record('open'));
    for (let number = 0; number < 200; number += 1) {
      await store.add(record(`r${number}`));
      await settledWith(store, `r${number}`);
    }
    expect((await segmentsOf(here.folder)).length).toBe(1);
    expect((await stat(await newestOf(here.folder))).size).toBeLessThan(30_000);
    expect((await store.list()).map(({ id }) => id)).toEqual(['open', 'r197', 'r198', 'r199']);
    expect(await Array.fromAsync(store.audit())).toHaveLength(200);
    await using again = new ApprovalFiles({ ...here, maxSettled: 3 });
    expect((await again.list()).map(({ id }) => id)).toEqual(['open', 'r197', 'r198', 'r199']);
  });

  it('have of what is settled the newest alone where it is long, and the last however long it is', async () => {
    await using here = await place();
    await using store = new ApprovalFiles(here);
    const settleLong = async (id: string, length: number): Promise<void> => {
      await store.add({ ...record(id), input: { content: 'x'.repeat(length) } });
      await settledWith(store, id);
    };
    for (const id of ['a', 'b', 'c', 'd', 'e']) await settleLong(id, 4_000_000);
    expect((await store.list()).map(({ id }) => id)).toEqual(['c', 'd', 'e']);
    await settleLong('long', 17_000_000);
    expect(await settledWith(store, 'long')).toBe('already');
    await using again = new ApprovalFiles(here);
    expect((await again.list()).map(({ id }) => id)).toEqual(['long']);
  });

  it('are used by several at a time, also while they are replaced', async () => {
    await using here = await place();
    const stores = Array.from({ length: 4 }, () => new ApprovalFiles({ ...here, compactAfterBytes: 500 }));
    await Promise.all(
      stores.map(async (store, writer) => {
        for (let number = 0; number < 40; number += 1) await store.add(record(`${writer}-${number}`));
      }),
    );
    const ids = (await stores[0]!.list()).map(({ id }) => id);
    expect(new Set(ids).size).toBe(160);
    const outcomes = await Promise.all(stores.map((store) => Promise.all(ids.map((id) => settledWith(store, id)))));
    for (const index of ids.keys())
      expect(outcomes.map((ofStore) => ofStore[index]).toSorted()).toEqual([
        'already',
        'already',
        'already',
        'settled',
      ]);
    for (const store of stores) {
      expect((await store.list({ state: 'answered' })).length).toBe(160);
      expect((await Array.fromAsync(store.audit())).length).toBe(160);
      await store.close();
    }
  });

  it('are taken further where a process ended between the seal and the next file', async () => {
    await using here = await place();
    {
      await using store = new ApprovalFiles(here);
      await store.add(record('a'));
    }
    // Lines behind the seal do not count: no success was reported for them.
    await appendFile(await newestOf(here.folder), '\n{"seal":true}\n\n{"c":{"t":"add","record":{"id":"void"}}}\n');
    await writeFile(join(here.folder, 'approvals/00000002.v1.jsonl.left.tmp'), 'the half of a fi');
    await using store = new ApprovalFiles(here);
    await using other = new ApprovalFiles(here);
    await Promise.all([store.add(record('b')), other.add(record('c'))]);
    expect((await store.list()).map(({ id }) => id).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await other.list()).toEqual(await store.list());
    expect((await segmentsOf(here.folder)).filter((name) => name.endsWith('.jsonl'))).toEqual(['00000002.v1.jsonl']);
  });

  it.each([2, 5, 10])('are read by one process while another replaces them, %i system calls later', async (calls) => {
    await using here = await place();
    await using store = new ApprovalFiles(here);
    await store.add(record('a'));
    const [first, next] = [1, 2].map((number) => join(here.folder, 'approvals', `0000000${number}.v1.jsonl`)) as [
      string,
      string,
    ]; // of two numbers
    // Reading this takes a while.
    await appendFile(first, `\n${'x'.repeat(50_000_000)}\n`);
    const reading = store.list();
    for (let call = 0; call < calls; call += 1) await stat(first);
    writeFileSync(next, `${JSON.stringify({ c: { t: 'add', record: record('b') } })}\n{"snapshot":true}\n`);
    appendFileSync(first, '\n{"seal":true}\n');
    unlinkSync(first);
    expect((await reading).length).toBe(1);
    expect((await store.list()).map(({ id }) => id)).toEqual(['b']);
  });

  it('of a newer version are not touched', async () => {
    await using here = await place();
    await mkdir(join(here.folder, 'approvals'));
    await writeFile(join(here.folder, 'approvals/00000004.v2.jsonl'), '');
    await using store = new ApprovalFiles(here);
    await expect(store.add(record('a'))).rejects.toMatchObject({
      code: 'STORE_FAILED',
      message: expect.stringContaining('newer version'),
    });
  });

  it('that cannot be made fail by name, each call again', async () => {
    await using here = await place();
    const folder = join(here.folder, 'file');
    await writeFile(folder, '');
    for (const call of [
      () => new ApprovalFiles({ folder }).list(),
      () => new ApprovalFiles({ folder }).add(record('a')),
      () => new OutboxFiles({ folder }).enqueue({ session: 's', uuid: 'u', input: { content: 'x' } }),
      () => new DirectoryFiles({ folder }).list(),
      () => new LeaseFiles({ folder }).join({ owner: 'one' }),
    ])
      await expect(call()).rejects.toMatchObject({
        code: 'STORE_FAILED',
        message: expect.stringContaining(folder),
        cause: { code: 'ENOTDIR' },
      });
  });

  it.skipIf(process.platform === 'win32')(
    'take nothing more once they were deleted, also where they are made again',
    async () => {
      await using here = await place();
      const stores = [new ApprovalFiles(here), new ApprovalFiles(here)] as const;
      for (const store of stores) await store.add(record(stores.indexOf(store) === 0 ? 'a' : 'b'));
      await rm(join(here.folder, 'approvals'), { recursive: true });
      const deleted = { code: 'STORE_FAILED', message: expect.stringContaining('deleted while it was in use') };
      await expect(stores[0].add(record('c'))).rejects.toMatchObject(deleted);
      await expect(stores[0].list()).rejects.toMatchObject(deleted);
      await using again = new ApprovalFiles(here);
      await again.add(record('d'));
      await expect(stores[1].list()).rejects.toMatchObject(deleted);
      expect((await again.list()).map(({ id }) => id)).toEqual(['d']);
      for (const store of stores) await store.close();
    },
  );

  it('take nothing after they were closed, and what came before is there', async () => {
    await using here = await place();
    const store = new ApprovalFiles(here);
    const added = Promise.all(['a', 'b', 'c'].map((id) => store.add(record(id))));
    await added;
    await store.close();
    await store.close();
    await expect(store.add(record('d'))).rejects.toThrow('is closed');
    await expect(store.list()).rejects.toThrow('is closed');
    await using again = new ApprovalFiles(here);
    expect(await again.list()).toHaveLength(3);
  });

  it.each([
    [{ folder: '' }, 'folder'],
    [{ folder: 5 }, 'folder'],
    [{ folder: 'half \ud83d' }, 'folder'],
    [{ folder: 'x', compactAfterBytes: -1 }, 'compactAfterBytes'],
    [{ folder: 'x', maxSettled: 1.5 }, 'maxSettled'],
  ])('need options that can be meant: %j', (options, name) => {
    expect(() => new ApprovalFiles(options as never)).toThrow(name); // untyped
  });
});
