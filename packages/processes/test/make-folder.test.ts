import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { makeFolder } from '../src/index.ts';
import { temporaryFolder } from './temporary.ts';

afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

it('makes a folder and those above it, for their owner alone', async () => {
  await using place = await temporaryFolder();
  for (let round = 0; round < 2; round += 1) {
    makeFolder(path.join(place.path, 'a', 'b', 'c'));
    for (const name of ['a', 'a/b', 'a/b/c']) expect(fs.statSync(path.join(place.path, name)).mode & 0o777).toBe(0o700);
  }
});

it('makes a folder of which another process makes each part first', async () => {
  await using place = await temporaryFolder();
  const { mkdirSync } = fs;
  const taken: fs.PathLike[] = [];
  vi.spyOn(fs, 'mkdirSync').mockImplementation((folder, options) => {
    mkdirSync(folder, options);
    taken.push(folder);
    return mkdirSync(folder, options); // fails as where it was there
  });
  syncBuiltinESMExports();
  const wanted = path.join(place.path, 'a', 'b');
  makeFolder(wanted);
  expect(taken).toEqual([path.dirname(wanted), wanted]);
});

it('fails where a file has its place, and below a file', async () => {
  await using place = await temporaryFolder();
  const file = path.join(place.path, 'file');
  fs.writeFileSync(file, '');
  expect(() => makeFolder(file)).toThrow('EEXIST');
  expect(() => makeFolder(path.join(file, 'below'))).toThrow('ENOTDIR');
});

it.skipIf(!fs.existsSync('/proc/self'))('fails below a folder of the system that holds no others', () => {
  expect(() => makeFolder('/proc/none/below')).toThrow('ENOENT');
});
