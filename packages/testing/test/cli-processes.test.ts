import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { processes } from '@hexagent/testing/cli';
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
