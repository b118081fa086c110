import { headOf, type EntryHead } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { scanHead } from '../src/scan-head.ts';
import { id, line, Place } from './place.ts';

const uuid = 'b3d1c2a4-0000-4000-8000-000000000001';
const said = {
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

/** Finds the head in the bytes of a line, with other bytes around it. */
function scan(text: string): EntryHead | undefined {
  const bytes = Buffer.from(`xx"{${text}\n{"type":"user","uuid":"other"}`);
  const end = bytes.indexOf('\n');
  return scanHead(bytes, 4, end, 4);
}

const parsed = (text: string): EntryHead | undefined => headOf(JSON.parse(text), 4, Buffer.byteLength(text));

describe('A head that is found in bytes', () => {
  it.each([
    ['a message', said],
    ['an answer with calls', called],
    ['results of tools', { ...said, message: { content: [{ tool_use_id: 't', type: 'tool_result', content: [{}] }] } }],
    ['a subagent', { ...said, isSidechain: true, teamName: 'team', isMeta: true }],
    ['values that are odd', { ...said, isSidechain: 0, isMeta: 'yes', teamName: '', parentUuid: 7, timestamp: [] }],
    ['odd messages', { ...said, message: 'text' }],
    ['odd contents', { ...said, message: { content: [1, null, 'x', [], [{ type: 'tool_use', id: 'no' }], {}] } }],
    ['escapes and other alphabets', { ...said, uuid: 'é"\\\n\u2028', message: { content: '\\"}]\u0000é😀' } }],
    ['fields of the same name further in', { x: { type: 'assistant', uuid: 'no' }, ...said, y: [{ uuid: 'no' }] }],
    ['long texts with many quotes', { ...said, message: { content: 'a "quoted" \\ line\n'.repeat(1000) } }],
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
  ])('is that of the entry: %s', (_name, entry) => {
    const text = JSON.stringify(entry);
    expect(scan(text)).toEqual(parsed(text));
    const spaced = JSON.stringify(entry, null, 1).replaceAll('\n', ' ');
    expect(scan(spaced)).toEqual(parsed(spaced));
    const reversed = JSON.stringify(Object.fromEntries(Object.entries(entry).toReversed()));
    expect(scan(reversed)).toEqual(parsed(reversed));
  });

  it('is missing of every beginning of a line, and of two lines that were glued together', () => {
    for (const entry of [said, called]) {
      const text = JSON.stringify(entry);
      for (let length = 0; length < text.length; length += 1)
        expect(scan(text.slice(0, length)), text.slice(0, length)).toBeUndefined();
      expect(scan(text + text)).toBeUndefined();
    }
  });

  it('is missing of what is no object', () => {
    for (const text of [
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
    ])
      expect(scan(text), text).toBeUndefined();
  });
});

describe('The file of a transcript', () => {
  async function open(place: Place, content: string | Buffer) {
    place.store('/p', id(1), content);
    const transcript = await place.transcripts.find(id(1), {});
    if (transcript === undefined) throw new Error('not found');
    return transcript;
  }

  it('has the same entries by their heads, one by one and in any order', async () => {
    using place = new Place();
    const entries = Array.from({ length: 3000 }, (_, index) => ({
      type: 'user',
      uuid: `u${index}`,
      message: { content: 'é'.repeat(index) },
    }));
    const transcript = await open(place, entries.map(line).join(''));
    const heads = (await Array.fromAsync(transcript.heads())).flat();
    expect(heads.map((head) => head.uuid)).toEqual(entries.map((entry) => entry.uuid));
    for (const order of [heads, heads.toReversed(), heads.filter((_, index) => index % 500 === 3)]) {
      const read = (await Array.fromAsync(transcript.entriesOf(order))).flat();
      expect(read.map((entry) => entry?.['uuid'])).toEqual(order.map((head) => head.uuid));
    }
    expect((await Array.fromAsync(transcript.entries())).flat()).toEqual(entries);
  });

  it('is read past lines that are broken, empty, no entries or of other systems', async () => {
    using place = new Place();
    const text = ['{"type":"user","uuid":"a"', '', 'null', '[1]', 'hello', JSON.stringify(said), '{"type":'].join(
      '\r\n',
    );
    const transcript = await open(place, text);
    expect((await Array.fromAsync(transcript.heads())).flat().map((head) => head.uuid)).toEqual([uuid]);
    expect((await Array.fromAsync(transcript.entries())).flat()).toEqual([said]);
  });

  it('is read past bytes that are no text', async () => {
    using place = new Place();
    const broken = Buffer.from(
      JSON.stringify({ ...said, uuid: 'x', message: { content: 'xxx' } }).replace('xxx', '???'),
    );
    const transcript = await open(
      place,
      Buffer.concat([Buffer.from(broken.map((byte) => (byte === 0x3f ? 0xff : byte))), Buffer.from(`\n${line(said)}`)]),
    );
    const heads = (await Array.fromAsync(transcript.heads())).flat();
    const entries = (await Array.fromAsync(transcript.entriesOf(heads))).flat();
    expect(entries.map((entry) => entry?.['message'])).toEqual([{ content: '\uFFFD\uFFFD\uFFFD' }, said.message]);
  });

  it('holds no long line that nobody needs', async () => {
    using place = new Place();
    const long = { type: 'api-request', params: 'x'.repeat(30_000_000) };
    const transcript = await open(place, line(long) + line(said) + JSON.stringify(long));
    expect((await Array.fromAsync(transcript.heads())).flat().map((head) => head.uuid)).toEqual([uuid]);
  });

  it('has a message of any length', async () => {
    using place = new Place();
    const long = { ...said, message: { content: 'long '.repeat(1_000_000) } };
    const transcript = await open(place, line({ ...said, uuid: 'a' }) + line(long) + line({ ...said, uuid: 'b' }));
    const heads = (await Array.fromAsync(transcript.heads())).flat();
    expect(heads.map((head) => head.uuid)).toEqual(['a', uuid, 'b']);
    expect((await Array.fromAsync(transcript.entriesOf(heads))).flat()[1]).toEqual(long);
  });

  it('is closed when a reader leaves', async () => {
    using place = new Place();
    const transcript = await open(place, line(said).repeat(20_000));
    for await (const heads of transcript.heads()) {
      expect(heads.length).toBeGreaterThan(0);
      break;
    }
    expect(process.getActiveResourcesInfo()).not.toContain('FSReqPromise');
  });
});
