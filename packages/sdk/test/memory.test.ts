import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

/** What a program in `fixtures` prints. */
async function run(fixture: string): Promise<Readonly<Record<string, number>>> {
  const program = fileURLToPath(new URL(`fixtures/${fixture}`, import.meta.url));
  const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
  return JSON.parse(stdout);
}

describe('A conversation that waits', () => {
  it('keeps nothing in memory of the environment of its agent; a session has its options once, for fork()', async () => {
    // Megabytes for each; the environment has half of one.
    const { queries, sessions, kept } = await run('waiting-conversations.mjs');
    expect(kept).toBe(60);
    expect(queries).toBeLessThan(0.25);
    expect(sessions).toBeLessThan(0.75);
  });
});

describe('A conversation that has ended', () => {
  it('is no longer in memory, at any face', async () => {
    expect(await run('ended-conversations.mjs')).toEqual({ queries: 0, answers: 0, finished: 0, closed: 0 });
  });
});
