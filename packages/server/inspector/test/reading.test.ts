import { describe, expect, it } from 'vitest';
import { Reading } from '../src/page/read-run.ts';

const stream = [
  'event: program\ndata: 80 MB\n\n',
  'event: dropped\ndata: 7\n\n',
  'id: 9\ndata: {"a":"data: x"}\ndata: \n\n',
  'id: 10\ndata: "é"\n\n',
  'event: end\ndata: \n\n',
].join('');

function read(...pieces: readonly string[]) {
  const seen: { lines: string[]; dropped: number; program: string } = { lines: [], dropped: 0, program: '' };
  const reading = new Reading({
    onLines: (lines) => seen.lines.push(...lines),
    onDropped: (count) => (seen.dropped += count),
    onProgram: (text) => (seen.program = text),
  });
  for (const piece of pieces) reading.add(piece);
  return { ...seen, lastId: reading.lastId, isOver: reading.isOver };
}

describe('The reader of a page', () => {
  it('reads the same events, wherever the stream is cut', () => {
    const whole = { lines: ['{"a":"data: x"}', '', '"é"'], dropped: 7, program: '80 MB', lastId: '10', isOver: true };
    for (let at = 0; at <= stream.length; at += 1) expect(read(stream.slice(0, at), stream.slice(at))).toEqual(whole);
    expect(read(...stream.split(/(?=.)/s))).toEqual(whole);
  });

  it('continues after the last event that arrived whole', () => {
    const cut = stream.indexOf('id: 10');
    expect(read(stream.slice(0, cut))).toMatchObject({ lastId: '9', isOver: false });
    // The id of an event counts with its end.
    expect(read(stream.slice(0, cut + 'id: 10\ndata: "'.length))).toMatchObject({ lastId: '9' });
  });

  it('reads what was cut off once, after the stream has begun anew', () => {
    const lines: string[] = [];
    const reading = new Reading({ onLines: (more) => lines.push(...more), onDropped: () => {}, onProgram: () => {} });
    reading.add(stream.slice(0, -'\n\nevent: end\ndata: \n\n'.length));
    expect(lines).toEqual(['{"a":"data: x"}', '']);
    reading.restart();
    reading.add('id: 10\ndata: "é"\n\n');
    expect([lines, reading.lastId]).toEqual([['{"a":"data: x"}', '', '"é"'], '10']);
  });
});
