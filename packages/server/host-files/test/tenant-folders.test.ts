import { mkdir, mkdtemp, readdir, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tenantFolders } from '../src/index.ts';

let folder = '';

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'tenants-')));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

describe('#50 The folders of tenants', () => {
  it('are different for names that a file system would take for one, or for a path', async () => {
    const names = ['a', 'A', '..', '../a', 'a/b', 'a\0b', 'é', 'e\u0301', '.'];
    const roots = await Promise.all(names.map(async (name) => (await tenantFolders(folder, name)).root));
    expect(new Set(roots.map((root) => root.toLowerCase())).size).toBe(names.length);
    expect(await readdir(folder)).toHaveLength(names.length);
  });

  it.each(['', 5, 'half \ud83d', '\ude00 half'])(
    'are not made for %j, which may be the name of another',
    async (name) => {
      await expect(tenantFolders(folder, name as string)).rejects.toThrow(TypeError); // untyped
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.skipIf(process.platform === 'win32')('are not tried for ever where the system lets none be made', async () => {
    await expect(tenantFolders('/proc/tenants', 'a')).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('can be read by this user alone, and are the home, the configuration and the temporary folder', async () => {
    const { root, env } = await tenantFolders(folder, 'a');
    expect(Object.keys(env).toSorted()).toEqual(['CLAUDE_CONFIG_DIR', 'HOME', 'TMPDIR']);
    for (const path of Object.values(env)) {
      expect(path.startsWith(root)).toBe(true);
      expect((await stat(path)).mode & 0o777).toBe(0o700);
    }
  });

  it.each(['..', '../../t-62/work', '/', '/tmp'])('refuse to work in %s', async (path) => {
    const { cwd } = await tenantFolders(folder, 'a');
    await tenantFolders(folder, 'b');
    await expect(cwd(path)).rejects.toMatchObject({ code: 'CWD_MISSING' });
  });

  it('refuse a link that leads out, also in the middle of a path, and make nothing behind it', async () => {
    const { cwd, work } = await tenantFolders(folder, 'a');
    const outside = join(folder, 'outside');
    await mkdir(outside);
    await symlink(outside, join(work, 'link'));
    await expect(cwd('link')).rejects.toMatchObject({ code: 'CWD_MISSING' });
    await expect(cwd('link/deeper')).rejects.toMatchObject({ code: 'CWD_MISSING' });
    expect(await readdir(outside)).toEqual([]);
  });

  it.each(['link', 'link/deeper', 'itself', 'file/deeper'])('cannot have a folder to work in at %s', async (path) => {
    const { cwd, work } = await tenantFolders(folder, 'a');
    await symlink(join(folder, 'missing'), join(work, 'link'));
    await symlink(join(work, 'itself'), join(work, 'itself'));
    await writeFile(join(work, 'file'), '');
    await expect(cwd(path)).rejects.toMatchObject({ code: 'CWD_MISSING', message: expect.stringContaining(path) });
    expect(await readdir(folder)).not.toContain('missing');
    await expect(cwd('half \ud83d')).rejects.toThrow(TypeError);
  });

  it('make a folder to work in, and resolve it', async () => {
    const { cwd, work } = await tenantFolders(folder, 'a');
    expect(await cwd()).toBe(work);
    expect(await cwd('project/one')).toBe(join(work, 'project/one'));
    await symlink(join(work, 'project'), join(work, 'inside'));
    expect(await cwd('inside/one')).toBe(join(work, 'project/one'));
  });
});
