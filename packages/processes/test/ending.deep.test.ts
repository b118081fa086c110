import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { describe, expect, it, vi } from 'vitest';
import { PosixEnding } from '../src/ending.ts';
import { createMark, markVariable } from '../src/process-mark.ts';
import { processTable } from '../src/process-table.ts';
import { ProcessTree } from '../src/process-tree.ts';
import { WindowsEnding } from '../src/windows-ending.ts';
import { fixture, Sleepers } from './running.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

describe('Where no watchdog is, and this process ends at once,', () => {
  it.each([
    ['nothing is left', 'end', []],
    ['only what a finished tool put into the background is left', 'leave', [303, 304]],
  ] as const)('%s, with `%s`', async (_, leftovers, left) => {
    await using sleepers = new Sleepers();
    const { id, value } = createMark();
    const env = { ...process.env, ...sleepers.env, [markVariable]: value };
    const child = spawn(process.execPath, [fixture('running-tools.mjs')], { detached: true, env });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const line of [
      { run: 'nohup sleep 303 & setsid sleep 304 &' },
      { start: 'nohup sleep 301 & setsid sleep 302 & wait' },
    ]) {
      child.stdin.write(`${JSON.stringify(line)}\n`);
      await answers.next();
    }
    await sleepers.are([301, 302, 303, 304]);
    const table = processTable(process.platform);
    const exited = once(child, 'exit');
    new PosixEnding(
      new ProcessTree({ root: child.pid ?? Number.NaN, id, table, onNumberFreed: () => {} }),
      leftovers,
    ).now();
    await expect.poll(() => sleepers.now(), { timeout: 20_000 }).toEqual(left);
    await exited;
  });
});

describe('A program that is killed at once', () => {
  it('does nothing at the end of its input or at a signal, and what it started is ended too', async () => {
    await using sleepers = new Sleepers();
    const { id, value } = createMark();
    const env = { ...process.env, ...sleepers.env, [markVariable]: value };
    const child = spawn(process.execPath, [fixture('running-tools.mjs')], { detached: true, env });
    const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    child.stdin.write(`${JSON.stringify({ start: 'nohup sleep 301 & setsid sleep 302 & wait' })}\n`);
    await answers.next();
    await sleepers.are([301, 302]);
    const exited = once(child, 'exit').then(() => {});
    const table = processTable(process.platform);
    const tree = new ProcessTree({ root: child.pid ?? Number.NaN, id, table, onNumberFreed: () => {} });
    expect(await new PosixEnding(tree).kill(exited)).toEqual([]);
    expect(child.signalCode).toBe('SIGKILL');
    expect(sleepers.now()).toEqual([]);
  });
});

describe('On Windows', () => {
  it('#21 the agent itself is ended where there is no taskkill', async () => {
    const agent = spawn('/bin/sh', ['-c', 'kill -STOP $$']);
    await new WindowsEnding(agent.pid ?? Number.NaN).end(
      () => agent.stdin.end(),
      once(agent, 'exit').then(() => {}),
    );
    expect(agent.signalCode).toBe('SIGKILL');
  });

  it('#21 an agent that does not leave is ended by taskkill, with its descendants', async () => {
    await using folder = await temporaryFolder();
    // The arguments of taskkill are recorded; then it does to the agent what the real one would.
    const taskkill = await folder.file('taskkill', `#!/bin/sh\necho "$*" > '${folder.path}/asked'\nkill -9 "$4"\n`);
    await chmod(taskkill, 0o755);
    const agent = spawn('/bin/sh', ['-c', 'kill -STOP $$']);
    const ending = new WindowsEnding(agent.pid ?? Number.NaN, taskkill);
    const exited = once(agent, 'exit').then(() => {});
    await ending.end(() => agent.stdin.end(), exited);
    expect(await readFile(`${folder.path}/asked`, 'utf8')).toBe(`/T /F /PID ${agent.pid}\n`);
    expect(agent.signalCode).toBe('SIGKILL');
  });
});
