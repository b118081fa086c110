import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { readHostEnvironment } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from './temporary.ts';

describe('A variable is read', () => {
  it('from the given ones, then from those of the process or what stands for them', () => {
    const fallbackEnv = { PATH: '/fallback', HOME: '/fallback' };
    const host = readHostEnvironment({ env: { PATH: '/given' }, fallbackEnv });
    expect([host.env('PATH'), host.env('HOME'), host.env('APPDATA')]).toEqual(['/given', '/fallback', undefined]);
    expect(readHostEnvironment({ env: {} }).env('PATH')).toBe(process.env['PATH']);
  });

  it('in any capitals on Windows, the one that Node would pass on first, and only there', () => {
    const env = { Path: 'C:\\second', PATH: 'C:\\first', claude_code_path: 'C:\\claude.exe' };
    const windows = readHostEnvironment({ env, fallbackEnv: {}, platform: 'win32' });
    expect([windows.env('PATH'), windows.env('CLAUDE_CODE_PATH')]).toEqual(['C:\\first', 'C:\\claude.exe']);
    const copy = readHostEnvironment({
      env: { Path: 'C:\\copy' },
      fallbackEnv: { PATH: 'C:\\own' },
      platform: 'win32',
    });
    expect(copy.env('PATH')).toBe('C:\\copy');
    expect(readHostEnvironment({ env, fallbackEnv: {}, platform: 'linux' }).env('CLAUDE_CODE_PATH')).toBeUndefined();
  });
});

describe.skipIf(process.platform === 'win32')('For a path', () => {
  it('reports what it leads to, or the code of the error with which reading it failed', async () => {
    await using folder = await temporaryFolder();
    const host = readHostEnvironment({ env: {} });
    await symlink('loop', join(folder.path, 'loop'));
    const file = await folder.file('file');
    expect(host.inspect(file)).toBe('file');
    expect(host.inspect(folder.path)).toBe('folder');
    expect(host.inspect('/dev/null')).toBe('other');
    expect(host.inspect(join(folder.path, 'nothing'))).toEqual({ code: 'ENOENT' });
    expect(host.inspect(join(file, 'below'))).toEqual({ code: 'ENOENT' });
    expect(host.inspect(join(folder.path, 'loop', 'x'))).toEqual({ code: 'ELOOP' });
    expect(host.inspect(join(folder.path, 'x'.repeat(300)))).toEqual({ code: 'ENAMETOOLONG' });
    expect(host.inspect('a\0b')).toEqual({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  it('reports who owns it, the link itself included, and whether everybody may write there', async () => {
    await using folder = await temporaryFolder();
    const host = readHostEnvironment({ env: {} });
    await symlink('/', join(folder.path, 'link'));
    const open = join(folder.path, 'open');
    await mkdir(open);
    expect(host.owner(join(folder.path, 'link'))).toBe(process.geteuid?.());
    expect(host.owner(join(folder.path, 'nothing'))).toBeUndefined();
    expect([host.isOpenToAll(open), host.isOpenToAll(join(folder.path, 'nothing'))]).toEqual([false, false]);
    await chmod(open, 0o1777);
    expect(host.isOpenToAll(open)).toBe(true);
  });
});
