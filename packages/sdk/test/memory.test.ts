import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

describe('A conversation that waits', () => {
  it('keeps nothing in memory of the environment that its agent was started with', async () => {
    const program = fileURLToPath(new URL('fixtures/waiting-conversations.mjs', import.meta.url));
    const args = ['--expose-gc', '--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', program];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env: { PATH: process.env['PATH'] } });
    // Megabytes for each; the environment has half of one.
    const { queries, sessions, kept } = JSON.parse(stdout);
    expect(kept).toBe(60);
    expect([queries, sessions].filter((held) => !(held < 0.25))).toEqual([]);
  });
});
