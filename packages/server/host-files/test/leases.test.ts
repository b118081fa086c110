import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { appendFile, readFile, rm } from 'node:fs/promises';
import type { LeaseAnswer } from '@hexagent/ports';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LeaseFiles } from '../src/index.ts';
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

describe('A lease in a file', () => {
  it('is held against another process, and free the moment that its process is killed', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const child = runProgram(program, here.folder, 'one');
    expect(await answerOf(child)).toMatchObject({ kind: 'acquired', lease: { fence: 1 } });
    expect(await leases.acquire('chat', { owner: 'two' })).toEqual({ kind: 'held', owner: 'one' });
    await kill(child);
    expect(await leases.acquire('chat', { owner: 'two' })).toMatchObject({
      kind: 'acquired',
      lease: { fence: 2, isTakenOver: true, renewWithinMs: undefined },
    });
  });

  it('of a process that was killed is taken over by one of several processes that race for it', async () => {
    await using here = await place();
    for (let round = 1; round <= 3; round += 1) {
      const racing = Array.from({ length: 4 }, (_, index) => runProgram(program, here.folder, `${round}-${index}`));
      const answers = await Promise.all(racing.map(answerOf));
      const leases = answers.flatMap((answer) => (answer.kind === 'acquired' ? [answer.lease] : []));
      expect(leases).toMatchObject([{ fence: round, isTakenOver: round > 1 }]);
      await Promise.all(racing.map(kill));
    }
  });

  it('is free where its number belongs to another process by now', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, { began: 'another time' });
    expect(await leases.acquire('chat', { owner: 'two' })).toMatchObject({ lease: { fence: 6, isTakenOver: true } });
  });

  it.each([
    ['this machine before it was started again', { boot: 'another' }],
    ['a container under the same name', { namespace: 'pid:[1]' }],
  ])('is free where its process was one of %s', async (_, holder) => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, holder);
    expect(await leases.acquire('chat', { owner: 'two' })).toMatchObject({ lease: { isTakenOver: true } });
  });

  it('is held where its process belongs to another machine, until the program reports that it has gone', async () => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    await takenBy(here.folder, { host: 'another', boot: 'another', pid: 1_073_741_824 });
    expect(await leases.acquire('chat', { owner: 'two' })).toEqual({ kind: 'held', owner: 'one' });
    await using asking = new LeaseFiles({ ...here, isGone: ({ host }) => host === 'another' });
    expect(await asking.acquire('chat', { owner: 'two' })).toMatchObject({ lease: { fence: 6 } });
    expect(await leases.acquire('chat', { owner: 'three' })).toEqual({ kind: 'held', owner: 'two' });
  });

  it.each([
    ['a lease without its process', '{"t":"take","session":"chat","fence":2,"owner":"x"}'],
    ['a process that is a group', '{"t":"take","session":"chat","fence":2,"owner":"x","holder":{"pid":0,"host":"h"}}'],
    ['a lease without a number', '{"t":"session","session":"chat"}'],
    ['a number that is a text', '{"t":"session","session":"chat","fence":"9"}'],
    ['a change of another version', '{"t":"unheard of","session":"chat","fence":1}'],
    ['a change without a session', '{"t":"release","fence":1}'],
  ])('is neither taken nor released by %s', async (_, change) => {
    await using here = await place();
    await using leases = new LeaseFiles(here);
    const answer = await leases.acquire('chat', { owner: 'one' });
    await appendFile(`${here.folder}/leases/00000001.v1.jsonl`, `\n{"c":${change}}\n`);
    await using others = new LeaseFiles(here);
    expect(await others.acquire('chat', { owner: 'two' })).toEqual({ kind: 'held', owner: 'one' });
    if (answer.kind === 'acquired') await leases.release(answer.lease);
    expect(await others.acquire('chat', { owner: 'two' })).toMatchObject({ kind: 'acquired', lease: { fence: 2 } });
  });
});

/** Writes that a lease is held by a process that differs from this one. */
async function takenBy(folder: string, holder: Readonly<Record<string, unknown>>): Promise<void> {
  await using leases = new LeaseFiles({ folder });
  await leases.acquire('chat', { owner: 'one' });
  const file = `${folder}/leases/00000001.v1.jsonl`;
  const { c: taken } = JSON.parse((await readFile(file, 'utf8')).trim());
  const held = { fence: 5, owner: 'one', holder: { ...taken.holder, ...holder } };
  await appendFile(file, `\n${JSON.stringify({ c: { t: 'session', session: 'chat', fence: 5, held } })}\n`);
}
