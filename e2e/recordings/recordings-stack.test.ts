import { describe, expect, it } from 'vitest';
import {
  framesFrom,
  listRecordings,
  loadRecording,
  type RecordedFrame,
  type Recording,
} from '../../packages/testing/test/recordings/load-recording.ts';
import { replay } from './replay.ts';
import { notYet, wanted } from './wanted.ts';

const both = (await listRecordings()).filter(({ use }) => use === 'both').map(({ name }) => name);

describe('The drop-in query', () => {
  for (const name of both) {
    const needs = notYet[name] === undefined ? '' : `, which needs ${notYet[name]}`;
    it.skipIf(needs)(`goes through recording ${name} as the official one did${needs}`, async () => {
      const recording = await loadRecording(name);
      const expected = wanted[name] ?? { why: '' };
      const { yielded, ending, differences } = await replay(recording);
      expect(yielded).toEqual(handedOn(recording).slice(0, expected.yielded));
      expect(differences.filter((one) => !expected.differences?.some((known) => known.test(one)))).toEqual([]);
      const gone = expected.differences?.filter((known) => !differences.some((one) => known.test(one)));
      expect(gone ?? [], 'Listed as wanted, and did not happen.').toEqual([]);
      expect(ending.kind, String('error' in ending && ending.error)).toBe(expected.ending ?? endingOf(recording));
    });
  }
});

/** What the official SDK hands to its consumer: recording 82-what-the-sdk-yields. */
function handedOn(recording: Recording): readonly RecordedFrame[] {
  const kept = ['control_request', 'control_response', 'control_cancel_request', 'keep_alive', 'transcript_mirror'];
  return framesFrom(recording).filter((frame) => !kept.includes(String(frame.type)) && frame['sdk_host_only'] !== true);
}

function endingOf({ entries }: Recording): 'done' | 'threw' {
  return entries.some(({ frame }) => frame['event'] === 'sdk_iterator_threw') ? 'threw' : 'done';
}
