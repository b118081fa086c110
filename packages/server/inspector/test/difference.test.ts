import { describe, expect, it } from 'vitest';
import { firstDifference } from '../src/fold/difference.ts';
import { foldLines } from '../src/fold/run-fold.ts';
import { recordedLines } from './recorded-lines.ts';

const run = recordedLines('transcripts/03-permission-suggestions-many-tools.jsonl');

/** The same run on another day: other ids, times and folders. */
function anotherDay(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) =>
    line
      .replaceAll(/[0-9a-f]{8}(?=-[0-9a-f]{4}-)/g, (start) => start.split('').toReversed().join(''))
      .replaceAll('toolu_mock', 'toolu_other')
      .replaceAll('2026-11-18T', '2027-01-02T')
      .replaceAll('/work/project', '/home/ada/other')
      .replaceAll('-work-project', '-home-ada-other')
      .replace(/"t":\d+/, `"t":${at * 7}`)
      .replaceAll(/"duration_ms":\d+/g, '"duration_ms":9'),
  );
}

const compare = (left: readonly string[], right: readonly string[]) =>
  firstDifference(foldLines(left), foldLines(right));
const changed = (from: string, to: string): readonly string[] => {
  expect(run.filter((line) => line.includes(from))).not.toEqual([]);
  return run.map((line) => line.replaceAll(from, to));
};

describe('The first difference of two runs', () => {
  it('is none where only ids, times and folders are others', () => {
    const other = anotherDay(run);
    expect(other).not.toEqual(run);
    expect(compare(run, other)).toBeUndefined();
    // The input of a hook has an id within a path.
    const hooks = recordedLines('transcripts/11-hook-pretooluse-deny.jsonl');
    expect(compare(hooks, anotherDay(hooks))).toBeUndefined();
  });

  it('names the rows, how many are the same before, and the part that differs', () => {
    const difference = compare(run, anotherDay(changed('no WebFetch', 'not that site')));
    expect(difference).toMatchObject({
      agent: 1,
      direction: 'out',
      left: 36,
      right: 36,
      same: 4,
      parts: [{ path: 'response.response.message', left: 'no WebFetch', right: 'not that site' }],
    });
  });

  it('does not depend on which of two directions came first', () => {
    const [initialize, message, answer] = [2, 3, 4].map((at) => run[at] ?? '');
    const other = run
      .with(2, initialize ?? '')
      .with(3, answer ?? '')
      .with(4, message ?? '');
    expect(other).not.toEqual(run);
    expect(compare(run, other)).toBeUndefined();
  });

  it('does not depend on the order of answers, nor on which of two kinds of frames came first', () => {
    const request = (id: string, subtype: string) => ({
      out: { type: 'control_request', request_id: id, request: { subtype } },
    });
    const answer = (id: string, mode: string) => ({
      in: { type: 'control_response', response: { subtype: 'success', request_id: id, response: { mode } } },
    });
    const message = { in: { type: 'assistant', message: { content: [{ type: 'text', text: 'Hello' }] } } };
    const lines = (...all: readonly object[]) => all.map((fields, t) => JSON.stringify({ t, agent: 1, ...fields }));
    const asked = [request('a', 'set_model'), request('b', 'set_permission_mode')];
    const one = lines(...asked, answer('a', 'x'), answer('b', 'y'), message);
    expect(compare(one, lines(...asked, message, answer('b', 'y'), answer('a', 'x')))).toBeUndefined();
    expect(compare(one, lines(...asked, message, answer('b', 'z'), answer('a', 'x')))).toMatchObject({
      left: 3,
      right: 3,
      same: 1,
      parts: [{ path: 'response.response.mode', left: 'y', right: 'z' }],
    });
  });

  it('leaves out pieces of texts, heartbeats and pauses', () => {
    const more = [
      { in: { type: 'stream_event', event: {} } },
      { in: { type: 'keep_alive' } },
      { pause: true },
      { resume: true },
    ];
    const lines = more.map((fields) => JSON.stringify({ t: 400, agent: 1, ...fields }));
    expect(compare(run, run.toSpliced(8, 0, ...lines))).toBeUndefined();
  });

  it('is where one run ends before the other', () => {
    const result = run.findIndex((line) => line.includes('"type":"result"'));
    expect(compare(run, run.slice(0, result))).toMatchObject({ left: 51, right: undefined, direction: 'in' });
    expect(compare(run.slice(0, result), run)).toMatchObject({ left: undefined, right: 51, direction: 'in' });
  });

  it('is an agent that only one run has', () => {
    const second = run.map((line) => line.replace('"agent":1', '"agent":2'));
    expect(compare(run, run)).toBeUndefined();
    expect(compare(run, [...run, ...second.slice(1)])).toMatchObject({ agent: 2, left: undefined, right: 56, same: 0 });
  });

  it('is how the agent exited', () => {
    expect(compare(run, changed('"exit":{"code":0', '"exit":{"code":1'))).toMatchObject({
      direction: 'mark',
      parts: [{ path: 'code', left: 0, right: 1 }],
    });
  });

  it('is the earliest of several', () => {
    const other = changed('no Bash', 'never').map((line) => line.replaceAll('Done.', 'Ready.'));
    expect(compare(run, other)).toMatchObject({ left: 9, direction: 'out' });
  });
});
