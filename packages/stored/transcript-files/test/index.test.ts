import { existsSync, readdirSync, readlinkSync, truncateSync } from 'node:fs';
import { headOf } from '@hexagent/checks';
import type { EntryHead, EntryIndex } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { id, line, Place } from './place.ts';

const uuid = 'b3d1c2a4-0000-4000-8000-000000000001';
const storedUser = {
  parentUuid: null,
  isSidechain: false,
  type: 'user',
  message: { role: 'user', content: 'Hello' },
  uuid,
  timestamp: '2026-01-01T00:00:00.000Z',
};
async function open(place: Place, content: string | Buffer) {
  place.store('/p', id(1), content);
  const transcript = await place.transcripts.find(id(1), {});
  if (transcript === undefined) throw new Error('not found');
  return transcript;
}

async function indexOf(place: Place, content: string | Buffer): Promise<EntryIndex> {
  return await (await open(place, content)).index();
}

const uuidsIn = ({ heads }: EntryIndex): readonly string[] => heads.map(({ uuid }) => uuid);

async function entriesOf(index: EntryIndex, heads: Iterable<EntryHead> = index.heads) {
  return (await Array.fromAsync(index.entriesOf(heads))).flat().map(([, entry]) => entry);
}

describe('The index of a transcript', () => {
  it('has nothing that is not an object', async () => {
    using place = new Place();
    const ends = [
      '',
      ' ',
      'null',
      '7',
      '[]',
      '"x"',
      '{',
      '{}',
      '{]',
      '{"a"}',
      '{"a":}',
      '{"type":"user","uuid":"x",}',
      '{"type":"user","uuid":"x","a":nulx}',
      '{"type":"user","uuid":"x"}{"type":"user","uuid":"x"}',
      '{"type":"us{"type":"user","uuid":"x"}',
    ];
    expect(uuidsIn(await indexOf(place, ends.join('\n')))).toEqual([]);
  });
});

describe('The file of a transcript', () => {
  it('has the same entries one by one, in any order, and all at once', async () => {
    using place = new Place();
    const entries = Array.from({ length: 3000 }, (_, index) => ({
      type: 'user',
      uuid: `u${index}`,
      message: { content: 'é'.repeat(index) },
    }));
    const transcript = await open(place, entries.map(line).join(''));
    const index = await transcript.index();
    expect(index.heads).toEqual(entries.map((entry) => headOf(entry)));
    const all = entries.map((_, place) => place);
    for (const order of [all, all.toReversed(), all.filter((place) => place % 500 === 3), [7, 7, 7]]) {
      const heads = order.flatMap((place) => index.heads[place] ?? []);
      expect(await entriesOf(index, heads)).toEqual(order.map((place) => entries[place]));
    }
    expect((await Array.fromAsync(transcript.entries())).flat()).toEqual(entries);
  });

  it('is read past lines that are broken, empty, no entries or of other systems', async () => {
    using place = new Place();
    const text = ['{"type":"user","uuid":"a"', '', 'null', '[1]', 'hello', JSON.stringify(storedUser), '{"type":'].join(
      '\r\n',
    );
    const transcript = await open(place, text);
    expect(uuidsIn(await transcript.index())).toEqual([uuid]);
    expect((await Array.fromAsync(transcript.entries())).flat()).toEqual([storedUser]);
  });

  it('is read past bytes that are not text', async () => {
    using place = new Place();
    const broken = Buffer.from(line({ ...storedUser, uuid: 'x', message: { content: '???' } }));
    const content = Buffer.concat([broken.map((byte) => (byte === 0x3f ? 0xff : byte)), Buffer.from(line(storedUser))]);
    const index = await indexOf(place, content);
    const entries = await entriesOf(index);
    expect(entries.map((entry) => entry?.['message'])).toEqual([{ content: '\uFFFD\uFFFD\uFFFD' }, storedUser.message]);
  });

  it('has what follows zeros, which a machine that went down leaves, and no entry with zeros in it', async () => {
    using place = new Place();
    const torn = JSON.stringify({ ...storedUser, uuid: 'x' }).replace('Hello', 'He\0\0o');
    const content = `${torn}\n${line(storedUser)}${'\0'.repeat(5000)}${line({ ...storedUser, uuid: 'y' })}${line({ ...storedUser, uuid: 'z' })}`;
    expect(uuidsIn(await indexOf(place, content))).toEqual([uuid, 'y', 'z']);
  });

  it('holds no long line that is not needed', async () => {
    using place = new Place();
    const long = { type: 'api-request', params: 'x'.repeat(30_000_000) };
    expect(uuidsIn(await indexOf(place, line(long) + line(storedUser) + JSON.stringify(long)))).toEqual([uuid]);
  });

  it('has a message of any length', async () => {
    using place = new Place();
    const long = {
      ...storedUser,
      message: { content: 'long '.repeat(1_000_000) },
      toolUseResult: 'y'.repeat(3_000_000),
    };
    const index = await indexOf(
      place,
      line({ ...storedUser, uuid: 'a' }) + line(long) + line({ ...storedUser, uuid: 'b' }) + line(long).trimEnd(),
    );
    expect(uuidsIn(index)).toEqual(['a', uuid, 'b', uuid]);
    const entries = await entriesOf(index);
    expect([entries[1], entries[3]]).toEqual([long, long]);
  });

  it('has no entry in the place of a line that was overwritten meanwhile', async () => {
    using place = new Place();
    const lines = [storedUser, { ...storedUser, uuid: 'b' }, { ...storedUser, uuid: 'c' }].map(line);
    const index = await indexOf(place, lines.join(''));
    const two = `{"type":"user"},{"type":"x"}`.padEnd((lines[0]?.length ?? 1) - 1);
    place.store('/p', id(1), [`${two}\n`, ...lines.slice(1)].join(''));
    expect(await entriesOf(index)).toEqual([
      { ...storedUser, uuid: 'b' },
      { ...storedUser, uuid: 'c' },
    ]);
  });

  it('has no entry that was cut off meanwhile', async () => {
    using place = new Place();
    const transcript = await open(place, line(storedUser) + line({ ...storedUser, uuid: 'b' }));
    const index = await transcript.index();
    truncateSync(place.store('/p', id(1), line(storedUser)));
    expect(await entriesOf(index)).toEqual([]);
  });

  it.skipIf(!existsSync('/proc/self/fd'))('is closed when a reader leaves', async () => {
    using place = new Place();
    const content = line(storedUser).repeat(20_000);
    const index = await indexOf(place, content);
    const file = place.store('/p', id(1), content);
    expect(timesOpen(file)).toBe(0);
    for await (const entries of index.entriesOf(index.heads)) {
      expect(entries.length).toBeGreaterThan(0);
      expect(timesOpen(file)).toBe(1);
      break;
    }
    expect(timesOpen(file)).toBe(0);
  });
});

/** How often this process has a file open. Any of the others may be opened and closed meanwhile, by Node itself, too. */
function timesOpen(path: string): number {
  const files = readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return undefined; // closed since
    }
  });
  return files.filter((file) => file === path).length;
}
