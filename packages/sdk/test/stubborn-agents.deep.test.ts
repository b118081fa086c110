import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { query, type Query } from '@hexagent/sdk/claude-agent-sdk';
import { isAlive } from '@hexagent/testing/cli';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

/** Streams, and ignores the end of its input, SIGTERM and every request. */
const agent = `
process.on('SIGTERM', () => {});
const send = (frame) => process.stdout.write(JSON.stringify({ session_id: String(process.pid), uuid: 'u', ...frame }) + '\\n');
process.stdin.once('data', () => setInterval(() => send({ type: 'stream_event', event: { type: 'ping' }, parent_tool_use_id: null }), 5));
process.stdin.resume();
`;

let place: string;
let executable: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'hexagent-test-'));
  executable = join(place, 'agent.mjs');
  await writeFile(executable, agent);
});
afterAll(() => rm(place, { recursive: true }));

describe.concurrent('An agent that streams, and ignores the end of its input and SIGTERM, is gone within 2.5 s of', () => {
  it.each<[string, (running: Query, controller: AbortController) => void]>([
    ['an abort', (_, controller) => controller.abort()],
    ['the end of the loop', (running) => void running.return()],
    ['close()', (running) => running.close()],
    [
      'an interrupt and close()',
      (running) => {
        running.interrupt().catch(() => {});
        running.close();
      },
    ],
  ])('%s', async (_, leave) => {
    const abortController = new AbortController();
    const running = query({ prompt: 'Hi', options: { pathToClaudeCodeExecutable: executable, abortController } });
    const first = await running.next();
    const pid = Number(first.value?.session_id);
    const began = performance.now();
    leave(running, abortController);
    await expect.poll(() => isAlive(pid), { timeout: 20_000, interval: 10 }).toBe(false);
    expect(performance.now() - began).toBeLessThan(2500);
  });
});
