import { chmodSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import type { SessionTranscript, TranscriptEntry } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { id, line, Place } from './place.ts';

const storedUser = { type: 'user', uuid: 'u', message: { content: 'Hello' } };
const title = { type: 'custom-title', customTitle: 'New' };

async function session(
  place: Place,
  content: string = line(storedUser),
): Promise<SessionTranscript & { file: string }> {
  const file = place.store('/p', id(1), content);
  const found = await place.transcripts.find(id(1), {});
  if (found === undefined) throw new Error('not found');
  return Object.assign(found, { file });
}

const oneAfterAnother = async function* (...entries: TranscriptEntry[]) {
  yield* entries.map((entry) => [entry]);
};

describe('Adding entries', () => {
  it('writes lines behind the last one', async () => {
    using place = new Place();
    const { file, ...found } = await session(place);
    expect(found.sessionId).toBe(id(1));
    const transcript = await place.transcripts.find(id(1), {});
    await transcript?.append([title, storedUser]);
    expect(readFileSync(file, 'utf8')).toBe(line(storedUser) + line(title) + line(storedUser));
  });

  it('begins a line of its own behind one that was cut off', async () => {
    using place = new Place();
    const transcript = await session(place, `${line(storedUser)}{"type":"us`);
    await transcript.append([title]);
    expect(readFileSync(transcript.file, 'utf8')).toBe(`${line(storedUser)}{"type":"us\n${line(title)}`);
  });

  it('loses nothing of two writers at once', async () => {
    using place = new Place();
    const transcript = await session(place);
    const other = await place.transcripts.find(id(1), {});
    const text = 'x'.repeat(10_000);
    const writers = [transcript, other ?? transcript];
    const append = (writer: SessionTranscript, n: number) => writer.append([{ type: 'tag', tag: `${n}${text}` }]);
    await Promise.all(
      Array.from({ length: 40 }, (_, n) => n).flatMap((n) => writers.map((writer) => append(writer, n))),
    );
    const lines = readFileSync(transcript.file, 'utf8').trimEnd().split('\n');
    expect(lines.map((each) => (JSON.parse(each) as TranscriptEntry).type)).toHaveLength(81);
  });

  it('does not make a session that has gone', async () => {
    using place = new Place();
    const transcript = await session(place);
    await transcript.delete();
    await expect(transcript.append([title])).rejects.toThrow('ENOENT');
    expect(existsSync(transcript.file)).toBe(false);
  });
});

describe('Storing a session', () => {
  it('shows it when it is complete, to its owner alone', async () => {
    using place = new Place();
    const transcript = await session(place);
    await transcript.addSession(id(2), oneAfterAnother(storedUser, title));
    const file = path.join(path.dirname(transcript.file), `${id(2)}.jsonl`);
    expect(readFileSync(file, 'utf8')).toBe(line(storedUser) + line(title));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(path.dirname(file)).toSorted()).toEqual([`${id(1)}.jsonl`, `${id(2)}.jsonl`]);
  });

  it('leaves one alone that is there, and nothing behind', async () => {
    using place = new Place();
    const transcript = await session(place);
    await expect(transcript.addSession(id(1), oneAfterAnother(title))).rejects.toThrow('EEXIST');
    expect(readFileSync(transcript.file, 'utf8')).toBe(line(storedUser));
    expect(readdirSync(path.dirname(transcript.file))).toEqual([`${id(1)}.jsonl`]);
  });

  it('leaves nothing behind when its entries cannot be read', async () => {
    using place = new Place();
    const transcript = await session(place);
    const failing = async function* (): AsyncGenerator<TranscriptEntry[]> {
      yield [storedUser];
      throw new Error('gone');
    };
    await expect(transcript.addSession(id(2), failing())).rejects.toThrow('gone');
    expect(readdirSync(path.dirname(transcript.file))).toEqual([`${id(1)}.jsonl`]);
  });
});

describe('The mark of an archived session', () => {
  it('is kept beside it, and changes nothing in it', async () => {
    using place = new Place();
    const transcript = await session(place);
    expect(await transcript.archiveMark()).toBeUndefined();
    const before = Date.now();
    await transcript.markArchived(true);
    expect(await transcript.archiveMark()).toEqual({
      isArchived: true,
      at: expect.toSatisfy((at: number) => at >= before),
    });
    await transcript.markArchived(false);
    expect(await transcript.archiveMark()).toMatchObject({ isArchived: false });
    expect(readdirSync(path.join(place.folder('/p'), id(1)))).toEqual(['archived.json']);
    expect(statSync(transcript.file).mtimeMs).toBe(1_000_000);
  });

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"archived":"yes","at":"2030-01-01"}',
    '{"archived":true}',
    '{"archived":true,"at":7}',
  ])('does not count as %j', async (content) => {
    using place = new Place();
    const transcript = await session(place);
    place.write(path.join(place.folder('/p'), id(1), 'archived.json'), content);
    expect(await transcript.archiveMark()).toBeUndefined();
  });
});

describe('Deleting a session', () => {
  it('takes along what belongs to it', async () => {
    using place = new Place();
    const transcript = await session(place);
    place.store('/p', id(2), line(storedUser));
    place.write(path.join(place.folder('/p'), id(1), 'subagents', 'agent-x.jsonl'), line(storedUser));
    await transcript.delete();
    expect(readdirSync(place.folder('/p'))).toEqual([`${id(2)}.jsonl`]);
  });

  it('does not follow a link out of the folder', async () => {
    using place = new Place();
    const transcript = await session(place);
    const kept = place.write(path.join(place.dir('mine'), 'file'), 'kept');
    symlinkSync(path.dirname(kept), path.join(place.folder('/p'), id(1)));
    await transcript.delete();
    expect(readFileSync(kept, 'utf8')).toBe('kept');
    expect(readdirSync(place.folder('/p'))).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)('leaves a session that can be deleted again when a part cannot be', async () => {
    using place = new Place();
    const transcript = await session(place);
    const subagents = path.join(place.folder('/p'), id(1), 'subagents');
    place.write(path.join(subagents, 'agent-x.jsonl'), line(storedUser));
    chmodSync(subagents, 0o500);
    await expect(transcript.delete()).rejects.toThrow('EACCES');
    expect(await place.transcripts.find(id(1), {})).toBeDefined();
    chmodSync(subagents, 0o700);
    await transcript.delete();
    expect(readdirSync(place.folder('/p'))).toEqual([]);
  });
});
