import { appendFile } from 'node:fs/promises';
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

  it('of messages has the order, the states, the uuids of what is over, and the lease', async () => {
    await using here = await place();
    await using outbox = new OutboxFiles(here);
    for (const uuid of ['3', '1', '2']) await outbox.enqueue({ session: 's', uuid, input: { content: uuid } }, 5);
    await outbox.mark({ session: 's', uuid: '1' }, 'completed', 5);
    await outbox.mark({ session: 's', uuid: '2' }, 'started', 5);
    await outbox.enqueue({ session: 'gone', uuid: '1', input: { content: 'x' } }, 3);
    await outbox.delete('gone', 3);
    await seal(join(here.folder, 'outbox'));
    const entries = await outbox.pending('s');
    expect(entries.map(({ uuid, state }) => [uuid, state])).toEqual([
      ['3', 'queued'],
      ['2', 'started'],
    ]);
    await using again = new OutboxFiles(here);
    expect(await again.pending('s')).toEqual(entries);
    expect(await again.stateOf({ session: 's', uuid: '1' })).toBe('completed');
    for (const [session, fence] of [
      ['s', 4],
      ['gone', 2],
    ] as const)
      await expect(again.enqueue({ session, uuid: '9', input: { content: 'x' } }, fence)).rejects.toMatchObject({
        code: 'LEASE_LOST',
      });
  });

  it('of leases has who holds one, and how often each was given', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await leases.acquire('held', { owner: 'one' });
    const answer = await leases.acquire('free', { owner: 'one' });
    if (answer.kind === 'acquired') await leases.release(answer.lease);
    await seal(join(here.folder, 'leases'));
    await using again = new LeaseFiles(here);
    expect(await again.acquire('held', { owner: 'two' })).toEqual({ kind: 'held', owner: 'one' });
    expect(await again.acquire('free', { owner: 'two' })).toMatchObject({ lease: { fence: 2, isTakenOver: false } });
  });
});
