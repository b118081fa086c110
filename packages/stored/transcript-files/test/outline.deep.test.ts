import { appendFileSync, truncateSync } from 'node:fs';
import type { Outline, TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { id, line, Place } from './place.ts';

const bulk = (kilobytes: number): TranscriptEntry => ({ type: 'assistant', text: 'x'.repeat(kilobytes * 1024) });
const prompt = { type: 'user', message: { content: 'Hello' }, gitBranch: 'main' };
const title = (customTitle: string): TranscriptEntry => ({ type: 'custom-title', customTitle });

async function outlineOf(place: Place, content: string): Promise<Outline> {
  place.store('/p', id(1), content);
  const transcript = await place.transcripts.find(id(1), {});
  if (transcript === undefined) throw new Error('not found');
  return await transcript.outline({ isEnough: ({ type }) => type === 'user', newest: ['custom-title', 'tag'] });
}

const lines = (...entries: readonly TranscriptEntry[]): string => entries.map(line).join('');
const newestOf = ({ newest }: Outline): unknown[] =>
  newest.map(({ type, customTitle, gitBranch }) => customTitle ?? gitBranch ?? type);

describe('The outline of a transcript', () => {
  it('has the entries that the outline needs, and no later ones', async () => {
    using place = new Place();
    const { first } = await outlineOf(place, lines(bulk(1), prompt, bulk(2)));
    expect(first).toEqual([bulk(1), prompt]);
  });

  it.each([
    ['near the end', lines(prompt, bulk(200), title('a'), title('b'), bulk(1)), ['main', 'b']],
    ['near the beginning alone', lines(prompt, title('a'), bulk(200), bulk(200)), ['main', 'a']],
    ['near both', lines(prompt, title('a'), bulk(200), title('b'), { ...prompt, gitBranch: 'later' }), ['b', 'later']],
    ['in a small file', lines(title('a'), prompt, title('b')), ['main', 'b']],
    ['in a last line without an ending', lines(prompt) + JSON.stringify(title('b')), ['main', 'b']],
    ['before a last line that was cut off', `${lines(prompt, title('b'))}{"type":"custom-title","cu`, ['main', 'b']],
  ])('has the newest title and branch %s', async (_where, content, newest) => {
    using place = new Place();
    expect(newestOf(await outlineOf(place, content))).toEqual(newest);
  });

  it('#44 is found in a file that is too long to be read as a whole', async () => {
    using place = new Place();
    const file = place.store('/p', id(1), lines(prompt, { type: 'mode' }));
    // A hole takes no room on the disk, and hours to read.
    truncateSync(file, 2 ** 40);
    appendFileSync(file, `\n${lines(title('b'))}`);
    const [transcript] = await place.transcripts.list({});
    const outline = await transcript?.outline({ isEnough: ({ type }) => type === 'user', newest: ['custom-title'] });
    expect(outline).toEqual({ first: [prompt], newest: [prompt, title('b')] });
  });

  it('does not take a part of a line for an entry', async () => {
    using place = new Place();
    // The window at the end begins within the first line, behind its beginning.
    const nested = `{"type":"assistant","text":"${'x'.repeat(80_000)}`.concat(
      JSON.stringify(line(title('no'))).slice(1, -1),
      '"}\n',
    );
    expect(newestOf(await outlineOf(place, nested + lines(bulk(60))))).toEqual([]);
  });

  it('has the beginning of the conversation behind lines of any length', async () => {
    using place = new Place();
    const { first } = await outlineOf(
      place,
      lines(bulk(70), { type: 'api-request', text: 'x'.repeat(3_000_000) }, bulk(80), prompt),
    );
    expect(first.map(({ type }) => type)).toEqual(['assistant', 'api-request', 'assistant', 'user']);
    expect(first.at(-1)).toEqual(prompt);
  });

  it('is empty of a transcript that was deleted meanwhile', async () => {
    using place = new Place();
    place.store('/p', id(1), lines(prompt));
    const [transcript] = await place.transcripts.list({});
    await transcript?.delete();
    expect(await transcript?.outline({ isEnough: () => true, newest: [] })).toEqual({ first: [], newest: [] });
  });

  it('is found in a file that is one line', async () => {
    using place = new Place();
    const { first } = await outlineOf(
      place,
      JSON.stringify({ type: 'user', message: { content: 'y'.repeat(60_000_000) } }),
    );
    expect(first).toHaveLength(1);
  });
});
