import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { processes } from '@hexagent/testing/cli';
import { describe, expect, it, vi } from 'vitest';
import { fixture } from './agents.ts';
import { Sleepers } from './left-behind.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 90_000 });

/** It takes less than three seconds, but for a busy machine. */
const bound = 20_000;
const finished = { run: 'nohup sleep 303 & setsid sleep 304 &' };
const running = { start: 'nohup sleep 301 & setsid sleep 302 & wait' };

interface Program {
  readonly child: ChildProcessWithoutNullStreams;
  /** Of its agent. */
  readonly agent: number;
}

/** A program whose agent has run these lines. */
async function programThat(
  lines: readonly object[],
  { sleepers, leftovers, env = {}, secret }: { sleepers: Sleepers; leftovers?: string; env?: object; secret?: string },
): Promise<Program> {
  const instructions = JSON.stringify({ lines, leftovers, secret, env: sleepers.env });
  const args = ['--conditions=@hexagent/source', fixture('dying.ts'), instructions];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env } });
  let agent = Number.NaN;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === 'ready') break;
    ({ pid: agent } = JSON.parse(line) as { pid: number });
  }
  return { child, agent };
}

const deaths: Readonly<Record<string, (child: ChildProcessWithoutNullStreams) => unknown>> = {
  SIGKILL: (child) => child.kill('SIGKILL'),
  SIGTERM: (child) => child.kill('SIGTERM'),
  SIGINT: (child) => child.kill('SIGINT'),
  SIGHUP: (child) => child.kill('SIGHUP'),
  'process.exit()': (child) => child.stdin.write('exit\n'),
  'an uncaught error': (child) => child.stdin.write('throw\n'),
  'an unhandled rejection': (child) => child.stdin.write('reject\n'),
  'its natural end': (child) => child.stdin.write('close\n'),
};

describe.each(Object.entries(deaths))('When the program ends by %s', (_, die) => {
  it('nothing is left of what its agent started', async () => {
    await using sleepers = new Sleepers();
    const { child } = await programThat([finished, running], { sleepers });
    await sleepers.are([301, 302, 303, 304]);
    die(child);
    await expect.poll(() => sleepers.now(), { timeout: bound }).toEqual([]);
  });

  it('only what a finished tool put into the background is left, with `leave`', async () => {
    await using sleepers = new Sleepers();
    const { child } = await programThat([finished, running], { sleepers, leftovers: 'leave' });
    await sleepers.are([301, 302, 303, 304]);
    die(child);
    await expect.poll(() => sleepers.now(), { timeout: bound }).toEqual([303, 304]);
  });
});

describe.each([
  ['nothing is left', 'end', []],
  ['only what a finished tool put into the background is left', 'leave', [303, 304]],
])('When an agent is killed in the middle of a tool, %s,', (_, leftovers, left) => {
  it('if the program ends as soon as it reads the end of the messages', async () => {
    await using sleepers = new Sleepers();
    const { child, agent } = await programThat([finished, running], { sleepers, leftovers });
    await sleepers.are([301, 302, 303, 304]);
    child.stdin.write('exit on end\n');
    process.kill(agent, 'SIGKILL');
    expect((await once(child, 'exit'))[0]).toBe(1);
    await expect.poll(() => sleepers.now(), { timeout: bound }).toEqual(left);
  });

  it('if the program is killed at the same time', async () => {
    await using sleepers = new Sleepers();
    const { child, agent } = await programThat([finished, running], { sleepers, leftovers });
    await sleepers.are([301, 302, 303, 304]);
    process.kill(agent, 'SIGKILL');
    child.kill('SIGKILL');
    await expect.poll(() => sleepers.now(), { timeout: bound }).toEqual(left);
  });
});

describe('When the program ends itself in the moment in which it starts an agent', () => {
  it.each([
    ['neither the agent nor its private files are left', 'stubborn.mjs'],
    ['no private files are left of one that cannot be started', 'not-there.mjs'],
  ])('%s', async (_, agent) => {
    await using sleepers = new Sleepers();
    await using folder = await temporaryFolder();
    const args = ['--conditions=@hexagent/source', fixture('leaving-at-once.ts')];
    const child = spawn(process.execPath, [...args, JSON.stringify(sleepers.env), fixture(agent)], {
      env: { ...process.env, TMPDIR: folder.path },
    });
    expect((await once(child, 'exit'))[0]).toBe(0);
    expect(readdirSync(folder.path)).toEqual([]);
    await expect.poll(() => sleepers.commands(), { timeout: bound }).toEqual([]);
  });
});

describe('A watchdog that is killed', () => {
  const watchdogOf = (program: number | undefined): number | undefined =>
    processes().find(({ parent, command }) => parent === program && command.startsWith('/bin/sh -c '))?.pid;

  it('leaves when the last agent has exited, although it was started again', async () => {
    await using sleepers = new Sleepers();
    const { child } = await programThat([finished], { sleepers });
    const dog = watchdogOf(child.pid);
    process.kill(dog ?? Number.NaN, 'SIGKILL');
    await expect.poll(() => watchdogOf(child.pid) ?? dog, { timeout: bound }).not.toBe(dog);
    child.stdin.write('stay\n');
    await expect.poll(() => watchdogOf(child.pid), { timeout: bound }).toBeUndefined();
    child.kill('SIGKILL');
  });

  it('is started again while an agent lives, and tracks what the first one tracked', async () => {
    await using sleepers = new Sleepers();
    await using folder = await temporaryFolder();
    const { child, agent } = await programThat([finished, running], {
      sleepers,
      secret: 'sëcret',
      env: { TMPDIR: folder.path },
    });
    await sleepers.are([301, 302, 303, 304]);
    for (let times = 0; times < 3; times += 1) {
      const dog = watchdogOf(child.pid);
      process.kill(dog ?? Number.NaN, 'SIGKILL');
      await expect.poll(() => watchdogOf(child.pid) ?? dog, { timeout: bound }).not.toBe(dog);
    }
    expect(readdirSync(folder.path)).toHaveLength(1);
    const environment = readFileSync(`/proc/${watchdogOf(child.pid)}/environ`, 'utf8');
    // The twenty-second field of its line is its start time.
    const began = readFileSync(`/proc/${agent}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
    expect(environment).toContain(` ${agent} ${began}\n`);
    child.kill('SIGKILL');
    await expect.poll(() => sleepers.now(), { timeout: bound }).toEqual([]);
    await expect.poll(() => readdirSync(folder.path), { timeout: bound }).toEqual([]);
  });
});
