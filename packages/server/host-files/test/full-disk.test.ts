import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ApprovalRecord } from '@hexagent/ports';
import { ApprovalFiles, OutboxFiles } from '../src/index.ts';
import { place } from './place.ts';
import { bundled } from './programs.ts';

interface Report {
  readonly accepted: readonly string[];
  readonly settled: readonly string[];
  readonly failures: readonly { readonly code: unknown; readonly message: string }[];
}

function approval(id: string): ApprovalRecord {
  const asked = { session: 's', kind: 'permission', toolUseId: 't', tool: 'Bash', input: { id } } as const;
  return { id, ...asked, suggestions: [], createdAt: 1, state: 'open' };
}

let program: string;
beforeAll(async () => (program = await bundled('fills-the-disk.ts')));
afterAll(async () => await rm(program));

/** Runs the program with files that cannot grow beyond so many blocks of 512 bytes: the write that would is cut off, as on a full disk. */
async function fill(
  folder: string,
  { blocks, compactAfter }: { blocks: number; compactAfter: number },
): Promise<Report> {
  const script = `ulimit -f ${blocks}; exec "$@"`;
  const child = spawn('sh', ['-c', script, 'sh', process.execPath, program, folder, String(compactAfter)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(code).toBe(0);
  return JSON.parse(output) as Report; // The program's own.
}

describe.skipIf(process.platform === 'win32')('On a full disk a store', () => {
  it.each([
    { blocks: 32, compactAfter: 1_000_000, when: 'before it is compacted' },
    { blocks: 32, compactAfter: 8000, when: 'while it is compacted' },
  ])(
    'fails each call by name $when, loses nothing that it has taken, and goes on where there is room',
    async (limit) => {
      await using here = await place();
      const { accepted, settled, failures } = await fill(here.folder, limit);
      expect(accepted.length).toBeGreaterThan(10);
      expect(settled.length).toBeGreaterThan(10);
      expect(failures).toHaveLength(6);
      for (const { code, message } of failures) {
        expect(code).toBe('STORE_FAILED');
        expect(message).toContain(here.folder);
      }

      await using outbox = new OutboxFiles(here);
      const pending = (await outbox.pending('s')).map(({ uuid }) => uuid);
      // Neither is what was reported as failed in the file.
      expect(pending).toEqual(accepted);
      await outbox.enqueue({ session: 's', uuid: 'later', input: { content: 'x' } });
      expect(await outbox.stateOf({ session: 's', uuid: 'later' })).toBe('queued');

      await using approvals = new ApprovalFiles(here);
      const answered = (await approvals.list({ state: 'answered' })).map(({ id }) => id);
      expect(settled.filter((id) => !answered.includes(id))).toEqual([]);
      const audited = (await Array.fromAsync(approvals.audit())).map(({ id }) => id);
      expect(audited.toSorted()).toEqual(answered.toSorted());
    },
  );
});

describe('A store whose lines cannot be replaced', () => {
  it('takes what still can be written, and leaves no temporary file', async () => {
    await using here = await place();
    await using store = new ApprovalFiles({ ...here, compactAfterBytes: 1000 });
    // No audit can be written, and without it no line is replaced.
    await mkdir(join(here.folder, 'audit.jsonl'));
    for (let number = 0; number < 20; number += 1) await store.add(approval(`${number}`));
    expect(await store.list({ state: 'open' })).toHaveLength(20);
    await rmdir(join(here.folder, 'audit.jsonl'));
    await store.add(approval('last'));
    expect(await store.list({ state: 'open' })).toHaveLength(21);
    expect(await readdir(join(here.folder, 'approvals'))).toEqual(['00000002.v1.jsonl']);
  });

  it('counts nothing that is written behind the end of the lines, also after that failed once', async () => {
    await using here = await place();
    await using store = new ApprovalFiles(here);
    await store.add(approval('before'));
    await mkdir(join(here.folder, 'audit.jsonl'));
    await appendFile(join(here.folder, 'approvals', '00000001.v1.jsonl'), '\n{"seal":true}\n');
    await expect(store.list()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await expect(store.add(approval('behind'))).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await expect(store.list()).rejects.toMatchObject({ code: 'STORE_FAILED' });
    await rmdir(join(here.folder, 'audit.jsonl'));
    await using other = new ApprovalFiles(here);
    for (const each of [store, other]) expect((await each.list()).map(({ id }) => id)).toEqual(['before']);
  });
});
