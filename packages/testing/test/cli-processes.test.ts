import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isAlive, processes, survivors } from '@hexagent/testing/cli';
import { parsePs } from '../src/cli/processes.ts';

describe('Without /proc', () => {
  it('the output of ps is parsed without ended processes', () => {
    const listing = '    1     0 Ss   /sbin/init splash\n  812     1 Z    [claude] <defunct>\n 9000   812 R+   ps\n';
    expect(parsePs(listing)).toEqual([
      { pid: 1, parent: 0, command: '/sbin/init splash' },
      { pid: 9000, parent: 812, command: 'ps' },
    ]);
  });

  it.skipIf(process.platform !== 'linux')('ps lists the same processes as /proc', () => {
    const listed = parsePs(execFileSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,stat=,args='], { encoding: 'utf8' }));
    const own = processes().find(({ pid }) => pid === process.pid);
    expect(listed.find(({ pid }) => pid === process.pid)).toMatchObject({ pid: process.pid, parent: own?.parent });
  });
});

describe.skipIf(process.platform !== 'linux')('A process that has ended but is still listed', () => {
  it('is not alive: its parent, or who took it over, may never wait for it', async () => {
    const parent = spawn('/bin/sh', ['-c', 'cat <&3 & echo $!; exec sleep 600 3<&-'], {
      stdio: ['ignore', 'pipe', 'ignore', 'pipe'],
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const [line] = (await once(parent.stdout!, 'data')) as [Buffer];
    const pid = Number(line);
    expect(isAlive(pid)).toBe(true);
    (parent.stdio[3] as Writable).end();
    expect(await survivors([pid], 20_000)).toEqual([]);
    expect(isAlive(pid)).toBe(false);
    // What a program may ask instead still takes it for running.
    expect(process.kill(pid, 0)).toBe(true);
  });
});
