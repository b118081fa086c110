import { describe, expect, it } from 'vitest';
import { agreements } from './recordings/agreements.ts';
import { framesFrom, loadRecording, type RecordedFrame } from './recordings/load-recording.ts';
import { outlineOf } from '../src/scenarios/outline.ts';
import { playScripted } from './recordings/play-scripted.ts';

describe('The scripted agent', () => {
  it.for(Object.entries(agreements))('writes the frames of the CLI in recording %s', async ([name, agreed]) => {
    const recording = await loadRecording(name);
    const { script, gates, without } = agreed();
    const { frames, exit } = await playScripted(recording, script, gates);
    const compared = (all: readonly RecordedFrame[]) => all.filter((frame) => without?.(frame) !== true).map(outlineOf);
    expect(compared(frames)).toEqual(compared(framesFrom(recording)));
    const recordedExit = recording.entries.find(({ frame }) => frame['event'] === 'exit')?.frame;
    expect([exit.code, exit.signal]).toEqual([recordedExit?.['code'], recordedExit?.['signal']]);
  });
});
