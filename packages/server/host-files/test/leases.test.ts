import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lease, LeaseAnswer, LeaseStore } from '@hexagent/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseFiles, OutboxFiles, type Holder } from '../src/index.ts';
import { place } from './place.ts';
import { bundled, runProgram } from './programs.ts';

let program: string;
beforeAll(async () => (program = await bundled('takes-a-lease.ts')));
afterAll(async () => await rm(program));

async function answerOf(child: ChildProcess): Promise<LeaseAnswer> {
  const [data] = await once(child.stdout!, 'data');
  return JSON.parse(String(data));
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** Joins, and takes the lease. */
async function take(leases: LeaseStore, owner: string): Promise<LeaseAnswer> {
  return await leases.acquire('chat', await leases.join({ owner }));
}

async function taken(leases: LeaseStore, owner: string): Promise<Lease> {
  const answer = await take(leases, owner);
  if (answer.kind === 'held') throw new Error(`It is held by ${answer.owner}.`);
  return answer.lease;
}

describe('A lease in a file', () => {
  it('is held against another process, and free the moment that its process is killed', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const child = runProgram(program, here.folder, 'one');
    expect(await answerOf(child)).toMatchObject({ kind: 'acquired' });
    const two = await leases.join({ owner: 'two' });
    expect(two.renewWithinMs).toBeUndefined();
    expect(await leases.acquire('chat', two)).toEqual({ kind: 'held', owner: 'one' });
    expect(await leases.where('chat')).toMatchObject({ owner: 'one' });
    expect(await leases.workers()).toMatchObject([{ owner: 'one', leases: 1 }, { owner: 'two' }]);
    await kill(child);
    expect(await leases.where('chat')).toBeUndefined();
    expect(await leases.workers()).toMatchObject([{ owner: 'two' }]);
    expect(await leases.acquire('chat', two)).toMatchObject({ kind: 'acquired', lease: { isTakenOver: true } });
  });

  it('of a process that was killed is taken over by one of several processes that race for it', async () => {
    await using here = await place();
    let fence = 0;
    for (let round = 1; round <= 3; round += 1) {
      const racing = Array.from({ length: 4 }, (_, index) => runProgram(program, here.folder, `${round}-${index}`));
      const answers = await Promise.all(racing.map(answerOf));
      const leases = answers.flatMap((answer) => (answer.kind === 'acquired' ? [answer.lease] : []));
      expect(leases).toMatchObject([{ isTakenOver: round > 1 }]);
      expect(leases[0]?.fence).toBeGreaterThan(fence);
      fence = leases[0]?.fence ?? 0;
      await Promise.all(racing.map(kill));
    }
  });

  it('is free where its number belongs to another process by now', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, { began: 'another time' });
    expect(await take(leases, 'two')).toMatchObject({ lease: { isTakenOver: true } });
  });

  it.each([
    ['this machine before it was started again', { boot: 'another' }],
    ['a container under the same name', { namespace: 'pid:[1]' }],
  ])('is free where its process was one of %s', async (_, holder) => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, holder);
    expect(await take(leases, 'two')).toMatchObject({ lease: { isTakenOver: true } });
  });

  it('is held where its process belongs to another machine, until the program reports that it has gone', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, { host: 'another', boot: 'another', pid: 1_073_741_824 });
    expect(await take(leases, 'two')).toEqual({ kind: 'held', owner: 'one' });
    await using asking = new LeaseFiles({ ...here, isGone: () => true });
    expect(await take(asking, 'three')).toMatchObject({ lease: { isTakenOver: true } });
    // It is not asked about a process of this machine.
    expect(await take(asking, 'four')).toEqual({ kind: 'held', owner: 'three' });
  });

  it('has a fence above those in the other files, also where its own were deleted', async () => {
    await using here = await place();
    await using outbox = new OutboxFiles(here);
    await outbox.enqueue({ session: 'chat', uuid: '1', input: { content: 'x' } });
    for (const [owner, state] of [
      ['one', 'sent'],
      ['two', 'started'],
    ] as const) {
      await using leases = new LeaseFiles(here);
      const lease = await taken(leases, owner);
      await outbox.mark({ session: 'chat', uuid: '1' }, state, lease.fence);
      await leases.release(lease);
    }
    await rm(join(here.folder, 'leases'), { recursive: true });
    await using leases = new LeaseFiles(here);
    const { fence } = await taken(leases, 'three');
    await outbox.mark({ session: 'chat', uuid: '1' }, 'completed', fence);
    expect(await outbox.pending('chat')).toEqual([]);
  });

  it('is taken by the first line of those that follow the same fence, whatever their own', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const one = await taken(leases, 'one');
    await leases.release(one);
    const own = JSON.parse((await linesOf(here.folder))[0] ?? '').c;
    const racing = (owner: string, fence: number): string =>
      JSON.stringify({ c: { t: 'take', session: 'chat', owner, fence, after: one.fence } });
    await append(here.folder, JSON.stringify({ c: { ...own, owner: 'two' } }), racing('two', one.fence + 5));
    await append(here.folder, racing('one', one.fence + 9));
    expect(await take(leases, 'three')).toEqual({ kind: 'held', owner: 'two' });
  });

  it('that an earlier version wrote is held by the process in its line, and followed by the next number', async () => {
    await using here = await place();
    const { holder } = await ownWorker(here.folder);
    const line = (fence: number, owner: string): string =>
      JSON.stringify({ c: { t: 'take', session: 'chat', fence, owner, holder } });
    await append(here.folder, line(1, 'one'), line(3, 'three'), line(1, 'one more'));
    await using leases = new LeaseFiles(here);
    expect(await take(leases, 'four')).toEqual({ kind: 'held', owner: 'one' });
    await append(here.folder, JSON.stringify({ c: { t: 'release', session: 'chat', fence: 1 } }), line(2, 'two'));
    expect(await take(leases, 'five')).toEqual({ kind: 'held', owner: 'two' });
    const dead = { fence: 7, owner: 'dead', holder: { ...holder, pid: 1_073_741_824 } };
    await append(here.folder, JSON.stringify({ c: { t: 'session', session: 'chat', fence: 7, held: dead } }));
    expect(await take(leases, 'six')).toMatchObject({ lease: { isTakenOver: true } });
  });

  it('keeps no worker in the file that has exited and has none', async () => {
    await using here = await place();
    const own = await ownWorker(here.folder);
    const dead = { ...own, owner: 'dead', holder: { ...own.holder, pid: 1_073_741_824 } };
    await append(here.folder, JSON.stringify({ c: dead }), JSON.stringify({ c: { ...dead, owner: 'holds one' } }));
    await append(
      here.folder,
      JSON.stringify({ c: { t: 'take', session: 'chat', owner: 'holds one', fence: 1, after: 0 } }),
    );
    await using leases = new LeaseFiles(here);
    await leases.join({ owner: 'one' });
    const left = (await linesOf(here.folder)).filter((line) => line.includes('"leave"'));
    expect(left.map((line) => JSON.parse(line).c.owner)).toEqual(['dead']);
  });

  it.each([
    ['a lease without its process', '{"t":"take","session":"chat","fence":2,"owner":"x"}'],
    ['a process that is a group', '{"t":"take","session":"chat","fence":2,"owner":"x","holder":{"pid":0,"host":"h"}}'],
    ['a lease without a number', '{"t":"session","session":"chat"}'],
    ['a number that is a text', '{"t":"session","session":"chat","fence":"9"}'],
    ['a worker that never joined', '{"t":"take","session":"chat","fence":9e15,"after":FENCE,"owner":"x"}'],
    ['a fence that is not higher', '{"t":"take","session":"chat","fence":1,"after":FENCE,"owner":"one"}'],
    ['a worker without its process', '{"t":"join","owner":"one"}'],
    ['an address that is a number', '{"t":"join","owner":"one","address":1,"holder":{"pid":1073741824,"host":"h"}}'],
    ['a worker that leaves without its name', '{"t":"leave"}'],
    ['a change of another version', '{"t":"unheard of","session":"chat","fence":1}'],
    ['a change without a session', '{"t":"release","fence":1}'],
  ])('is neither taken nor released by %s', async (_, change) => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const lease = await taken(leases, 'one');
    await append(here.folder, `{"c":${change.replaceAll('FENCE', String(lease.fence))}}`);
    await using others = new LeaseFiles(here);
    const two = await others.join({ owner: 'two' });
    expect(await others.acquire('chat', two)).toEqual({ kind: 'held', owner: 'one' });
    await leases.release(lease);
    expect(await others.acquire('chat', two)).toMatchObject({ lease: { isTakenOver: false } });
  });
});

const fileIn = (folder: string): string => join(folder, 'leases', '00000001.v1.jsonl');

async function append(folder: string, ...lines: readonly string[]): Promise<void> {
  await appendFile(fileIn(folder), lines.map((line) => `\n${line}\n`).join(''));
}

async function linesOf(folder: string): Promise<readonly string[]> {
  return (await readFile(fileIn(folder), 'utf8')).split('\n').filter((line) => line !== '');
}

/** The line that this process writes when it joins. */
async function ownWorker(folder: string): Promise<{ readonly holder: Holder }> {
  await using leases = new LeaseFiles({ folder });
  await leases.join({ owner: 'own' });
  return JSON.parse((await linesOf(folder))[0] ?? '').c;
}

/** Writes that a lease is held by a process that differs from this one. */
async function takenBy(folder: string, changed: Readonly<Record<string, unknown>>): Promise<void> {
  const own = await ownWorker(folder);
  await append(folder, JSON.stringify({ c: { ...own, owner: 'one', holder: { ...own.holder, ...changed } } }));
  await append(folder, JSON.stringify({ c: { t: 'session', session: 'chat', fence: 5, owner: 'one' } }));
}
