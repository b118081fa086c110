import { appendFile, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApprovalFiles } from '../src/index.ts';
import { place } from './place.ts';
import { newestOf, record, settledWith } from './stored-approvals.ts';

describe('The audit in a file', () => {
  it('is made whole for a process that ended before it had written', async () => {
    await using here = await place();
    const audit = join(here.folder, 'audit.jsonl');
    {
      await using store = new ApprovalFiles(here);
      for (const id of ['a', 'b']) await store.add(record(id));
      for (const id of ['a', 'b']) await settledWith(store, id);
    }
    const { size } = await stat(audit);
    await truncate(audit, size - 30);
    await using store = new ApprovalFiles(here);
    expect((await Array.fromAsync(store.audit())).map(({ id }) => id)).toEqual(['a', 'b']);
    const lines = (await readFile(audit, 'utf8'))
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'));
    expect(lines.map((line) => JSON.parse(line).id)).toEqual(['a', 'b']);
  });

  it('is whole before the lines that it could be made of are replaced', async () => {
    await using here = await place();
    await using store = new ApprovalFiles(here);
    await store.add(record('a'));
    await settledWith(store, 'a');
    await writeFile(join(here.folder, 'audit.jsonl'), '');
    await appendFile(await newestOf(here.folder), '\n{"seal":true}\n');
    await store.add(record('b'));
    expect((await Array.fromAsync(store.audit())).map(({ id }) => id)).toEqual(['a']);
  });

  it('has each entry once for its readers, also where it was written twice', async () => {
    await using here = await place();
    await using store = new ApprovalFiles(here);
    await store.add(record('a'));
    await settledWith(store, 'a');
    const audit = join(here.folder, 'audit.jsonl');
    await appendFile(audit, await readFile(audit));
    expect(await Array.fromAsync(store.audit())).toHaveLength(1);
  });
});
