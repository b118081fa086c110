import { gate, reply, type AgentScript, type Gate } from '@hexagent/testing';
import { describe, expect, it } from 'vitest';
import { framesFrom, loadRecording, type RecordedFrame } from './recordings/load-recording.ts';
import { outlineOf } from './recordings/outline.ts';
import { playScripted } from './recordings/play-scripted.ts';

interface Agreement {
  readonly script: AgentScript;
  /** Opened one by one where the recorded CLI went on by itself. */
  readonly gates?: readonly Gate[];
  /** Recorded frames that a script does not play. */
  readonly without?: (frame: RecordedFrame) => boolean;
}

const bash = (command: string, options = {}) => reply.tool('Bash', { command }, options);

const agreements: Readonly<Record<string, () => Agreement>> = {
  '01-string-prompt-minimal': () => ({ script: { turns: ['The answer is 4.'] } }),
  '02-tool-bash-allow-updatedInput': () => ({
    script: {
      turns: [
        [
          'Running.',
          reply.tool(
            'Bash',
            { command: 'touch a.txt && echo one', description: 'make file' },
            { asks: true, result: ({ command }) => String(command).slice(5) },
          ),
          'Done.',
        ],
      ],
    },
  }),
  '04-deny-with-interrupt': () => ({ script: { turns: [[bash('touch z', { asks: true })]] } }),
};

describe('The scripted agent', () => {
  it.for(Object.keys(agreements))('says what the CLI said in recording %s', async (name) => {
    const recording = await loadRecording(name);
    const agreement = agreements[name]?.() ?? { script: {} };
    const { frames, exit } = await playScripted(recording, agreement.script, agreement.gates);
    const recorded = framesFrom(recording).filter((frame) => agreement.without?.(frame) !== true);
    expect(frames.map(outlineOf)).toEqual(recorded.map(outlineOf));
    const left = recording.entries.find(({ frame }) => frame['event'] === 'exit')?.frame;
    expect([exit.code, exit.signal]).toEqual([left?.['code'], left?.['signal']]);
  });
});
