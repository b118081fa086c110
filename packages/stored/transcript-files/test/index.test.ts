import { existsSync, readdirSync, truncateSync } from 'node:fs';
import { headOf } from '@hexagent/checks';
import type { EntryIndex } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { headsIn, plainEntries, plainHeads, withNamedIds } from './heads-in.ts';
import { OddTranscript } from './odd-transcript.ts';
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
const called = {
  parentUuid: uuid,
  isSidechain: false,
  message: {
    id: 'msg_1',
    content: [
      { type: 'text', text: '"type":"tool_use","id":"no"' },
      { type: 'tool_use', id: 'toolu_1', input: { id: 'no', type: 'tool_result', tool_use_id: 'no' } },
      { id: 'toolu_2', name: 'x', type: 'tool_use' },
    ],
  },
  type: 'assistant',
  uuid: 'a',
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

const uuidsIn = (index: EntryIndex): readonly string[] => headsIn(index).map((head) => head.uuid);
const allOf = (index: EntryIndex): readonly number[] => Array.from({ length: index.count }, (_, entry) => entry);

async function entriesOf(index: EntryIndex, entries: Iterable<number>) {
  return (await Array.fromAsync(index.entriesOf(entries))).flat();
}

describe('The index of a transcript', () => {
  it.each([
    ['a message', storedUser],
    ['an answer with calls', called],
    [
      'results of tools',
      { ...storedUser, message: { content: [{ tool_use_id: 't', type: 'tool_result', content: [{}] }] } },
    ],
    ['a subagent', { ...storedUser, isSidechain: true, teamName: 'team', isMeta: true }],
    [
      'values that are odd',
      { ...storedUser, isSidechain: 0, isMeta: 'yes', teamName: '', parentUuid: 7, timestamp: [] },
    ],
    ['odd messages', { ...storedUser, message: 'text' }],
    ['odd contents', { ...storedUser, message: { content: [1, null, 'x', [], [{ type: 'tool_use', id: 'no' }], {}] } }],
    ['escapes and other alphabets', { ...storedUser, uuid: 'é"\\\n\u2028', message: { content: '\\"}]\u0000é😀' } }],
    [
      'fields of the same name further in',
      { x: { type: 'assistant', uuid: 'no' }, ...storedUser, y: [{ uuid: 'no' }] },
    ],
    ['long texts with many quotes', { ...storedUser, message: { content: 'a "quoted" \\ line\n'.repeat(1000) } }],
    [
      'a place where it was compacted',
      {
        type: 'system',
        subtype: 'compact_boundary',
        uuid,
        compactMetadata: { preservedMessages: { anchorUuid: 'a', uuids: ['b'] } },
      },
    ],
    [
      'a prompt that was queued',
      { type: 'attachment', uuid, attachment: { type: 'queued_command', prompt: 'x', source_uuid: 's' } },
    ],
    ['another attachment', { type: 'attachment', uuid, attachment: { type: 'date', prompt: 'x' } }],
    ['a title', { type: 'custom-title', customTitle: 'x', uuid }],
    ['an unknown type', { uuid, type: 'weird' }],
    ['no uuid', { type: 'user' }],
  ])('says what the parsed entry says: %s', async (_name, entry) => {
    using place = new Place();
    const spaced = JSON.stringify(entry, null, 1).replaceAll('\n', ' ');
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(entry).toReversed()));
    const heads = headsIn(await indexOf(place, [JSON.stringify(entry), spaced, reversed].join('\n')));
    const head = headOf(entry);
    expect(heads).toEqual(head === undefined ? [] : withNamedIds([head, head, head]));
  });

  it('has no beginning of a line, and no two lines that were glued together', async () => {
    using place = new Place();
    const texts = [storedUser, called].map((entry) => JSON.stringify(entry));
    const cut = texts.flatMap((text) => Array.from({ length: text.length }, (_, length) => text.slice(0, length)));
    const glued = [...texts, ...cut].flatMap((text) => [text + text, ...texts.map((other) => text + other)]);
    // One that was cut before its first byte leaves nothing.
    const content = [...cut, ...glued.filter((text) => !texts.includes(text))].join('\n');
    expect(uuidsIn(await indexOf(place, content))).toEqual([]);
  });

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
    ];
    expect(uuidsIn(await indexOf(place, ends.join('\n')))).toEqual([]);
  });

  it('gives the same number to the same uuid alone', async () => {
    using place = new Place();
    const texts = Array.from({ length: 20_000 }, (_, number) => `${'é'.repeat(number % 3)}${number >> 1}`);
    const content = texts.map((text) => line({ type: 'user', uuid: text, parentUuid: text }));
    const index = await indexOf(place, `${content.join('')}{"type":"user","uuid":"\\u0031"}`);
    const uuids = allOf(index).map((entry) => index.uuidOf(entry));
    expect(allOf(index).map((entry) => index.parentUuidOf(entry))).toEqual([...uuids.slice(0, -1), undefined]);
    expect(uuids.map((uuid) => index.uuidText(uuid))).toEqual([...texts, '1']);
    expect(new Set(uuids).size).toBe(new Set([...texts, '1']).size);
    expect(index.uuidCount).toBe(new Set([...texts, '1']).size);
    expect(index.findUuid('1')).toBe(uuids.at(-1));
    expect(['no', 'ééé', ''].map((text) => index.findUuid(text))).toEqual([undefined, undefined, undefined]);
  });

  it.each(Array.from({ length: 40 }, (_, seed) => seed))('says what parsed lines say, with seed %i', async (seed) => {
    using place = new Place();
    const content = new OddTranscript(seed).content(150);
    const index = await indexOf(place, content);
    expect(headsIn(index)).toEqual(plainHeads(content));
    const entries = plainEntries(content);
    expect(await entriesOf(index, allOf(index))).toEqual(entries);
    expect(await entriesOf(index, allOf(index).toReversed())).toEqual(entries.toReversed());
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
    const all = allOf(index);
    for (const order of [all, all.toReversed(), all.filter((entry) => entry % 500 === 3), [7, 7, 7]])
      expect(await entriesOf(index, order)).toEqual(order.map((entry) => entries[entry]));
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
    const entries = await entriesOf(index, allOf(index));
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
    const entries = await entriesOf(index, allOf(index));
    expect([entries[1], entries[3]]).toEqual([long, long]);
  });

  it('has no entry in the place of a line that was overwritten meanwhile', async () => {
    using place = new Place();
    const lines = [storedUser, { ...storedUser, uuid: 'b' }, { ...storedUser, uuid: 'c' }].map(line);
    const index = await indexOf(place, lines.join(''));
    const two = `{"type":"user"},{"type":"x"}`.padEnd((lines[0]?.length ?? 1) - 1);
    place.store('/p', id(1), [`${two}\n`, ...lines.slice(1)].join(''));
    expect(await entriesOf(index, [0, 1, 2])).toEqual([
      undefined,
      { ...storedUser, uuid: 'b' },
      { ...storedUser, uuid: 'c' },
    ]);
  });

  it('has no entry that was cut off meanwhile', async () => {
    using place = new Place();
    const transcript = await open(place, line(storedUser) + line({ ...storedUser, uuid: 'b' }));
    const index = await transcript.index();
    truncateSync(place.store('/p', id(1), line(storedUser)));
    expect(await entriesOf(index, [0, 1])).toEqual([undefined, undefined]);
  });

  it('is closed when a reader leaves', async () => {
    using place = new Place();
    const transcript = await open(place, line(storedUser).repeat(20_000));
    const index = await transcript.index();
    const opened = openFiles();
    for await (const entries of index.entriesOf(allOf(index))) {
      expect(entries.length).toBeGreaterThan(0);
      break;
    }
    expect(openFiles()).toBe(opened);
  });
});

/** How many files this process has open, where the system says so. */
const openFiles = (): number => (existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd').length : 0);
