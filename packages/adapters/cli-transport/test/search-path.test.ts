import { chmod, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliTransport } from '@hexagent/cli-transport';
import { plainLaunch } from '@hexagent/testing';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
});
afterEach(() => rm(folder, { recursive: true }));

// No `env` in its first line: that gives up at a folder of PATH that is a link to itself.
const agent = '#!/bin/sh\nwhile read -r line; do :; done\n';

async function put(name: string, mode: number): Promise<string> {
  const path = join(folder, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, agent);
  await chmod(path, mode);
  return path;
}

/** Leaves with code 0 as soon as its input ends; a search that found something else does not. */
async function runs(executable: string, path: string): Promise<number | null> {
  const env = { PATH: [path, dirname(process.execPath)].join(delimiter), HOME: folder };
  const transport = new CliTransport({ executable, resolveFrom: folder });
  const connection = await transport.connect(plainLaunch({ env }));
  await connection.end();
  return (await connection.exit).code;
}

describe('#7 In PATH', () => {
  it('a program is found by its name', async () => {
    await put('bin/my-agent', 0o755);
    expect(await runs('my-agent', join(folder, 'bin'))).toBe(0);
  });

  it('a file that may not be run is passed over', async () => {
    await put('first/my-agent', 0o644);
    await put('second/my-agent', 0o755);
    expect(await runs('my-agent', [join(folder, 'first'), join(folder, 'second')].join(delimiter))).toBe(0);
  });

  it('a folder that cannot be read is skipped', async () => {
    await put('bin/my-agent', 0o755);
    await mkdir(join(folder, 'locked/my-agent'), { recursive: true });
    await chmod(join(folder, 'locked'), 0);
    await symlink('loop', join(folder, 'loop'));
    await put('file', 0o755);
    const places = ['locked', 'loop', 'file', 'x'.repeat(300), 'bin'].map((name) => join(folder, name));
    expect(await runs('my-agent', places.join(delimiter))).toBe(0);
    const missing = runs('no-such-agent', places.join(delimiter));
    await expect(missing).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    await expect(missing).rejects.toThrow(`${join(folder, 'loop')} (ELOOP)`);
    await expect(missing).rejects.toThrow('(ENAMETOOLONG)');
    await expect(missing).rejects.not.toThrow(`${join(folder, 'bin')} (`);
  });

  it.skipIf(process.getuid?.() === 0)('a folder that may not be entered is named when nothing was found', async () => {
    await mkdir(join(folder, 'locked'));
    await chmod(join(folder, 'locked'), 0);
    await expect(runs('no-such-agent', join(folder, 'locked'))).rejects.toThrow(`${join(folder, 'locked')} (EACCES)`);
  });

  it('an unknown name is reported with the places that were searched', async () => {
    await expect(runs('no-such-agent', folder)).rejects.toMatchObject({
      code: 'AGENT_NOT_FOUND',
      message: expect.stringContaining('no-such-agent'),
    });
  });
});
