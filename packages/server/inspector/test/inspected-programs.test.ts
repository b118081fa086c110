import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { announce, inspectedPrograms } from '../src/inspected-programs.ts';

let temp: string;
let folder: string;
beforeEach(() => {
  temp = mkdtempSync(path.join(tmpdir(), 'hexagent-listed-'));
  vi.stubEnv('TMPDIR', temp);
  folder = path.join(temp, `hexagent-inspectors-${process.getuid?.() ?? 'user'}`);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(temp, { recursive: true });
});

const program = { pid: process.pid, name: 'program.ts', url: 'http://127.0.0.1:1/#token=x' };

describe('A program whose inspector is on', () => {
  it('is listed until it withdraws, for its user alone, and leaves nothing', () => {
    expect(inspectedPrograms()).toEqual([]);
    const withdraw = announce(program);
    expect(inspectedPrograms()).toEqual([program]);
    expect([folder, path.join(folder, `${process.pid}.json`)].map((each) => statSync(each).mode & 0o777)).toEqual([
      0o700, 0o600,
    ]);
    withdraw();
    expect(readdirSync(temp)).toEqual([]);
    withdraw();
  });

  it('is removed from the list where it was killed', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const withdraw = announce(program);
    announce({ ...program, pid });
    expect(readdirSync(folder)).toHaveLength(2);
    expect(inspectedPrograms()).toEqual([program]);
    expect(readdirSync(folder)).toEqual([`${process.pid}.json`]);
    withdraw();
  });

  it.each([
    ['others may read', () => (mkdirSync(folder), chmodSync(folder, 0o755))],
    ['is a link', () => (mkdirSync(path.join(temp, 'other'), { mode: 0o700 }), symlinkSync('other', folder))],
    ['is a file', () => writeFileSync(folder, '')],
  ])('is not listed in a folder that %s', (_, plant) => {
    plant();
    announce(program)();
    const withdraw = announce(program);
    expect(existsSync(path.join(folder, `${process.pid}.json`))).toBe(false);
    expect(inspectedPrograms()).toEqual([]);
    withdraw();
  });

  it('is listed beside what is not an address', () => {
    const withdraw = announce(program);
    writeFileSync(path.join(folder, 'broken.json'), '{');
    writeFileSync(path.join(folder, 'other.json'), '{"pid":"1"}');
    expect(inspectedPrograms()).toEqual([program]);
    rmSync(path.join(folder, 'broken.json'));
    rmSync(path.join(folder, 'other.json'));
    withdraw();
  });
});
