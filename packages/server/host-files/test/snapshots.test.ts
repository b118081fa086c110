import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DirectoryFiles, LeaseFiles, OutboxFiles } from '../src/index.ts';
import { place } from './place.ts';

describe('What is replaced', () => {
  const seal = async (folder: string): Promise<void> =>
    await appendFile(join(folder, '00000001.v1.jsonl'), '\n{"seal":true}\n');

  it('of sessions has the lease under which one was deleted', async () => {
    await using here = await place();
    await using directory = new DirectoryFiles(here);
    const session = { id: 'a', sessionId: 'x', begun: 'no', createdAt: 1, updatedAt: 1, facts: {} } as const;
    await directory.put(session, 1);
    await directory.put({ ...session, id: 'b' }, 4);
    await directory.delete('a', 2);
    await seal(join(here.folder, 'sessions'));
    expect(await directory.list()).toMatchObject([{ id: 'b' }]);
    await using again = new DirectoryFiles(here);
    await expect(again.put(session, 1)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await expect(again.put({ ...session, id: 'b' }, 3)).rejects.toMatchObject({ code: 'LEASE_LOST' });
    await again.put(session, 2);
  });

  it('of messages has the order, the numbers, the states, the uuids of what is over, and the lease', async () => {
    await using here = await place();
    await using outbox = new OutboxFiles({ ...here, keepFinished: 1 });
    const message = (session: string, uuid: string) => ({ session, uuid, input: { content: uuid } });
    await outbox.enqueue(message('late', '1'));
    for (const uuid of ['3', '1', '2', '4']) await outbox.enqueue(message('s', uuid));
    for (const uuid of ['4', '1']) await outbox.mark(message('s', uuid), 'completed', 5);
    await outbox.mark(message('s', '2'), 'started', 5);
    await outbox.enqueue(message('late', '2'));
    await outbox.mark(message('late', '1'), 'completed', 1);
    await outbox.enqueue(message('over', '1'));
    await outbox.mark(message('over', '1'), 'cancelled', 1);
    await outbox.enqueue(message('gone', '1'));
    await outbox.delete('gone', 3);
    await seal(join(here.folder, 'outbox'));
    const entries = await outbox.pending('s');
    expect(entries.map(({ uuid, state, number }) => [uuid, state, number])).toEqual([
      ['3', 'queued', 1],
      ['2', 'started', 3],
    ]);
    await using again = new OutboxFiles({ ...here, keepFinished: 1 });
    expect(await again.pending('s')).toEqual(entries);
    expect(await Array.fromAsync(again.claimable())).toEqual(['s', 'late']);
    const states = ['1', '4'].map((uuid) => again.stateOf({ session: 's', uuid }));
    expect(await Promise.all(states)).toEqual(['completed', undefined]);
    for (const [session, number] of [
      ['s', 5],
      ['over', 2],
      ['gone', 1],
    ] as const)
      expect(await again.enqueue(message(session, '9'))).toEqual({ kind: 'accepted', number });
    for (const [session, fence] of [
      ['s', 4],
      ['gone', 2],
    ] as const)
      await expect(again.mark(message(session, '9'), 'sent', fence)).rejects.toMatchObject({ code: 'LEASE_LOST' });
  });

  it('of messages by an earlier version, which did not count them, is read', async () => {
    await using here = await place();
    await mkdir(join(here.folder, 'outbox'));
    const lines = [
      { t: 'session', session: 's', fence: 5, pending: [], done: { one: 'completed', two: 'cancelled' } },
      { t: 'enqueue', session: 's', uuid: 'three', input: { content: 'x' }, fence: 5 },
      { t: 'mark', session: 's', uuid: 'three', state: 'started', fence: 5 },
    ];
    const written = lines.map((change) => `${JSON.stringify({ c: change })}\n`).join('');
    await writeFile(join(here.folder, 'outbox', '00000001.v1.jsonl'), written);
    await using outbox = new OutboxFiles(here);
    expect(await outbox.pending('s')).toMatchObject([{ uuid: 'three', state: 'started', number: 3 }]);
    expect(await outbox.enqueue({ session: 's', uuid: 'one', input: { content: 'x' } })).toMatchObject({
      kind: 'duplicate',
    });
  });

  it('of leases has who holds one, the fence of each, and the workers', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const one = await leases.join({ owner: 'one', address: 'there' });
    await leases.drain(one);
    await leases.acquire('held', one);
    const later = Date.now() + 1e9;
    const file = join(here.folder, 'leases', '00000001.v1.jsonl');
    await appendFile(file, `\n{"c":{"t":"session","session":"free","fence":${later}}}\n`);
    await seal(join(here.folder, 'leases'));
    await using again = new LeaseFiles(here);
    const two = await again.join({ owner: 'two' });
    expect(await again.acquire('held', two)).toEqual({ kind: 'held', owner: 'one' });
    expect(await again.acquire('free', two)).toMatchObject({ lease: { fence: later + 1, isTakenOver: false } });
    expect(await again.workers()).toEqual([
      { owner: 'one', address: 'there', isDraining: true, leases: 1 },
      { owner: 'two', address: undefined, isDraining: false, leases: 1 },
    ]);
  });
});
