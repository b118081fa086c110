import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { OutboundFrame } from '@hexagent/ports';
import { wireParser } from '@hexagent/parser';

interface Manifest {
  readonly recordings: readonly { readonly file: string; readonly use: 'both' | 'cli-side' | 'sdk-side' | 'corpus' }[];
}

interface Line {
  readonly dir: 'in' | 'out' | 'meta';
  readonly frame: { readonly type?: string };
}

const folder = new URL('../../../testing/fixtures/transcripts/', import.meta.url);
const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');
const { recordings } = JSON.parse(read('manifest.json')) as Manifest;

function lines(use: readonly string[], dir: Line['dir']): readonly Line[] {
  return recordings
    .filter((recording) => use.includes(recording.use))
    .flatMap(({ file }) =>
      read(file)
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Line),
    )
    .filter((line) => line.dir === dir);
}

describe('A recorded line', () => {
  it('of the real CLI is parsed with all of its fields, and without a false report', () => {
    const frames = lines(['both', 'cli-side'], 'out').map(({ frame }) => frame);
    expect(frames.length).toBeGreaterThan(1000);
    const suspects: string[] = [];
    for (const frame of frames)
      expect(wireParser.parse(JSON.stringify(frame), (reason) => suspects.push(reason))).toEqual(frame);
    // In 15-malformed-stdin-lines the CLI answers a request without an id by a response without one.
    expect(suspects).toEqual(['control_response: `response.request_id` is not a string']);
  });

  it('of the official SDK is written by stringify() in the same way', () => {
    const frames = lines(['both'], 'in').map(({ frame }) => frame as OutboundFrame); // the assertion is that they are
    expect(frames.length).toBeGreaterThan(300);
    for (const frame of frames) expect(wireParser.stringify(frame)).toBe(JSON.stringify(frame));
  });
});
