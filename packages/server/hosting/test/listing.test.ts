import type { SessionRecord } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { MemoryDirectory } from '../src/index.ts';
import { fakeHost, type FakeHost } from './fake-agents.ts';

async function idsInPages({ host }: Pick<FakeHost, 'host'>, limit: number): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let before: SessionRecord | undefined;
  // A list that does not end would be repeated for ever.
  while (pages.length < 10) {
    const page = await host.list({ limit, before });
    if (page.length === 0) break;
    pages.push(page.map(({ id }) => id));
    before = page.at(-1);
  }
  return pages;
}

describe('A list of sessions in pages', () => {
  it('has each session once, in the order of use, although what is stored of those in use is older', async () => {
    await using of = fakeHost();
    for (const id of ['a', 'b', 'c', 'd']) {
      await of.host.create(id);
      await of.pass(1);
    }
    await of.send('b');
    await of.pass(1);
    await of.send('a');
    for (const agent of of.agents) agent.answer();
    await of.settle();
    await of.pass(1);
    // Within a minute, so that the records are not stored again.
    await of.send('c');
    await of.pass(1);
    await of.host.send('b', { content: 'again', uuid: 'again' });
    await of.settle();
    expect(await idsInPages(of, 1)).toEqual([['b'], ['c'], ['a'], ['d']]);
    expect(await idsInPages(of, 3)).toEqual([['b', 'c', 'a'], ['d']]);
    expect((await of.host.list()).map(({ id }) => id)).toEqual(['b', 'c', 'a', 'd']);
  });

  it('reads as many records as the page has, and as many more as sessions are in use', async () => {
    const directory = new MemoryDirectory();
    const list = directory.list.bind(directory);
    let read = 0;
    directory.list = async (query) => {
      const records = await list(query);
      read += records.length;
      return records;
    };
    await using of = fakeHost({ directory });
    for (let at = 0; at < 100; at += 1) await of.host.create(`${at}`);
    await of.send('50');
    expect(await of.host.list({ limit: 10 })).toHaveLength(10);
    expect(read).toBe(11);
  });
});
