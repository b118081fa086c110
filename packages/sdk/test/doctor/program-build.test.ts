import { describe, expect, it } from 'vitest';
import { programBuild } from '../../src/doctor/program-build.ts';
import { elf } from './planted-machine.ts';

function windows(machine: number): Buffer {
  const head = Buffer.alloc(256);
  head.write('MZ');
  head.writeUInt32LE(128, 60);
  head.writeUInt16LE(machine, 132);
  return head;
}

describe('The build of a program', () => {
  it.each([
    ['linux', 'x64', elf(0x3e, '/lib/ld.so')],
    ['linux', 'arm64', elf(0xb7, '/lib/ld.so')],
    ['linux', undefined, elf(0x28, '/lib/ld.so')],
    ['darwin', 'arm64', Buffer.from('cffaedfe0c000001'.padEnd(128, '0'), 'hex')],
    ['darwin', 'x64', Buffer.from('cffaedfe07000001'.padEnd(128, '0'), 'hex')],
    ['darwin', undefined, Buffer.from('cafebabe'.padEnd(128, '0'), 'hex')],
    ['win32', 'x64', windows(0x8664)],
    ['win32', 'arm64', windows(0xaa64)],
  ])('is read from its header: %s, %s', (platform, arch, head) => {
    expect(programBuild(head)).toEqual({ platform, arch });
  });

  it('is a script, or unknown, for everything else', () => {
    expect(programBuild(Buffer.from('#!/bin/sh\n'))).toBe('script');
    for (const text of ['', 'MZ', 'x'.repeat(200)]) expect(programBuild(Buffer.from(text))).toBeUndefined();
  });
});
