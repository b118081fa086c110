import { once } from 'node:events';
import { appendFile, mkdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OutboxFiles } from '../src/index.ts';
import { place } from './place.ts';
import { bundled, runProgram } from './programs.ts';
import { newestOf, segmentsOf } from './stored-approvals.ts';

const count = 40;
const uuids = Array.from({ length: count }, (_, number) => `${number}`);
const message = (uuid: string): Parameters<OutboxFiles['enqueue']>[0] => ({
  session: 's',
  uuid,
  input: { content: (uuid.at(-1) ?? '').repeat(1_000_000) },
});

let program: string;
beforeAll(async () => (program = await bundled('keeps-much.ts')));
afterAll(async () => await rm(program));

/** Runs the program with too little memory for another text of all that waits. */
async function run(folder: string, toStore: number): Promise<unknown> {
  const child = runProgram('--max-old-space-size=80', program, folder, String(toStore));
  const [output, [code]] = await Promise.all([text(child.stdout!), once(child, 'close')]);
  expect(code).toBe(0);
  return JSON.parse(output);
}

describe('A journal that is longer than a text can be', () => {
  it('is replaced in pieces', async () => {
    await using here = await place();
    expect(await run(here.folder, count)).toEqual(uuids);
    expect(await segmentsOf(here.folder, 'outbox')).toEqual(['00000002.v1.jsonl']);
    expect(await run(here.folder, 0)).toEqual(uuids);
  });

  it('is repaired where an older version sealed it and could not replace it', async () => {
    await using here = await place();
    await mkdir(join(here.folder, 'outbox'));
    const first = join(here.folder, 'outbox', '00000001.v1.jsonl');
    for (const uuid of uuids)
      await appendFile(first, `\n${JSON.stringify({ c: { t: 'enqueue', ...message(uuid), fence: 1 } })}\n`);
    await appendFile(first, '\n{"seal":true}\n');
    expect(await run(here.folder, 0)).toEqual(uuids);
    expect(await segmentsOf(here.folder, 'outbox')).toEqual(['00000002.v1.jsonl']);
  });

  it.skipIf(process.platform === 'win32')('is read in pieces and in bounded memory, also above 2 GiB', async () => {
    await using here = await place();
    {
      await using store = new OutboxFiles(here);
      await store.enqueue(message('1'));
    }
    const first = await newestOf(here.folder, 'outbox');
    // A hole: zeros that take no room on the disk.
    await truncate(first, 2 ** 31 + 5);
    await appendFile(first, '\n');
    // With far less memory than the journal is long.
    expect(await run(here.folder, 1)).toEqual(['1', '0']);
    expect((await stat(await newestOf(here.folder, 'outbox'))).size).toBeLessThan(5_000_000);
    expect(await run(here.folder, 0)).toEqual(['1', '0']);
  });

  it('has all uuids of a session that finished more messages than one line lists', async () => {
    await using here = await place();
    await mkdir(join(here.folder, 'outbox'));
    const first = join(here.folder, 'outbox', '00000001.v1.jsonl');
    const done = Object.fromEntries(Array.from({ length: 25_000 }, (_, number) => [`done ${number}`, 'completed']));
    const session = { t: 'session', session: 's', fence: 3, pending: [], done };
    await appendFile(first, `\n${JSON.stringify({ c: session })}\n\n{"seal":true}\n`);
    await using store = new OutboxFiles(here);
    await store.pending('s');
    expect(await segmentsOf(here.folder, 'outbox')).toEqual(['00000002.v1.jsonl']);
    for (const number of [0, 9999, 10_000, 24_999])
      expect(await store.stateOf({ session: 's', uuid: `done ${number}` })).toBe('completed');
  });
});
