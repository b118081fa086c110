import { systemTool } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import { drawHost } from './drawn-host.ts';

describe('A tool of the system', () => {
  it('is found in the absolute entries of PATH, then in the folders of the system', () => {
    const PATH = '.:bin::/opt/bin';
    const files = ['ps', 'bin/ps', '/bin/ps'];
    expect(systemTool('ps', drawHost({ env: { PATH }, files: [...files, '/opt/bin/ps'] }))).toBe('/opt/bin/ps');
    expect(systemTool('ps', drawHost({ env: { PATH }, files }))).toBe('/bin/ps');
    expect(systemTool('ps', drawHost({ files }))).toBe('/bin/ps');
    expect(systemTool('ps', drawHost({ env: { PATH: '.' }, files: ['ps'] }))).toBe('/usr/bin/ps');
  });

  it('is one of the folder of Windows there, wherever that is', () => {
    const tool = (SYSTEMROOT?: string): string =>
      systemTool('taskkill', drawHost({ platform: 'win32', env: SYSTEMROOT === undefined ? {} : { SYSTEMROOT } }));
    expect(tool('D:\\WINDOWS')).toBe('D:\\WINDOWS\\System32\\taskkill.exe');
    for (const root of [undefined, '', '.', '\\WINDOWS', 'D:'])
      expect(tool(root)).toBe('C:\\Windows\\System32\\taskkill.exe');
  });
});
