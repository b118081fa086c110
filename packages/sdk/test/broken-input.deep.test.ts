import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ask, openSession } from '@hexagent/sdk';
import { isAlive } from '@hexagent/testing/cli';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

let place: string;
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'hexagent-test-'));
});
afterEach(() => rm(place, { recursive: true }));

/** An agent that writes its process id, closes its input, and runs on. */
async function deafAgent(): Promise<string> {
  const executable = join(place, 'agent');
  await writeFile(executable, '#!/bin/sh\nexec <&-\necho "$$" >&2\nexec sleep 600\n', { mode: 0o755 });
  return executable;
}

describe('An agent that has closed its input and runs on', () => {
  it('fails ask(), and has ended when that rejects or soon after', async () => {
    const pids: number[] = [];
    const answer = ask('Hi', { executable: await deafAgent(), onStderr: (line) => void pids.push(Number(line)) });
    await expect(answer.result).rejects.toMatchObject({
      code: 'CHANNEL_CLOSED',
      message: expect.stringContaining('closed its input'),
    });
    await expect.poll(() => pids.map(isAlive), { timeout: 20_000 }).toEqual([false]);
  });

  it('ends the session', async () => {
    const session = await openSession({ executable: await deafAgent() });
    const failed = expect(session.send('Hi').result).rejects.toMatchObject({ code: 'CHANNEL_CLOSED' });
    await expect(session.exited).resolves.toMatchObject({ closed: true });
    await failed;
    expect(() => session.send('Still there?')).toThrow(/Nothing can be sent any more\. The agent has closed its input/);
  });
});
