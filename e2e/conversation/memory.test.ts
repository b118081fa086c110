import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const program = fileURLToPath(new URL('fixtures/peak-unread.ts', import.meta.url));
const megabytes = 60;
const hardMark = { session: { partialMessages: true, softMarkBytes: 1024 * 1024, hardMarkBytes: 16 * 1024 * 1024 } };

/** 22 bytes with the line's end; as an object it takes a dozen times as much. */
const smallFrame = '{"type":"x","a":[{}]}';
const nestedFrame = `{"type":"x","a":[${'[],{},'.repeat(10)}0]}`;
const delta = JSON.stringify({
  type: 'stream_event',
  event: { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'some words of the answer ' } },
  session_id: '0f2e7a10-58ab-4f2e-9d2e-0d2f8a1f3f6b',
  parent_tool_use_id: null,
  uuid: '0f2e7a10-58ab-4f2e-9d2e-0d2f8a1f3f6b',
});

interface Measured {
  /** The memory in use once nothing more is read. */
  readonly grownMb: number;
  readonly events: readonly string[];
  readonly answer?: string;
}

async function unread(options: object): Promise<Measured> {
  const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning'];
  const { stdout } = await promisify(execFile)(process.execPath, [...args, program, JSON.stringify(options)], {
    env: { PATH: process.env['PATH'] },
  });
  return JSON.parse(stdout) as Measured;
}

describe('#40 Messages that a stopped reader has not read', () => {
  it.each([
    ['frames of 22 bytes', smallFrame],
    ['nested frames', nestedFrame],
    ['text deltas', delta],
  ])('take no more memory than the hard mark while callbacks are registered: %s', async (_, frame) => {
    const { grownMb, events } = await unread({ frame, megabytes, callbacks: true, ...hardMark });
    expect(events).toEqual(['stalled']);
    expect(grownMb).toBeLessThan(16 + 4);
  });

  it.each([
    ['frames of 22 bytes', smallFrame],
    ['text deltas', delta],
  ])('take no more memory than the hard mark while a request of ours is never answered: %s', async (_, frame) => {
    const { grownMb, events, answer } = await unread({ frame, megabytes, asks: true, ...hardMark });
    expect(events).toContain('stalled');
    expect(answer).toBe('open');
    expect(grownMb).toBeLessThan(16 + 4);
  });

  it.each([
    ['frames of 22 bytes', smallFrame],
    ['nested frames', nestedFrame],
  ])('take less than 12 MB at the default soft mark of 2 MB: %s', async (_, frame) => {
    const { grownMb, events } = await unread({ frame, megabytes });
    expect(events).toEqual(['paused']);
    expect(grownMb).toBeLessThan(12);
  });
});
