import { describe, expect, it } from 'vitest';
import { stateFolderOf, type ProgramFacts } from '../src/state-folder.ts';

const facts: ProgramFacts = {
  platform: 'linux',
  variables: {},
  home: '/home/ada',
  main: '/srv/shop/server.js',
  cwd: '/srv/shop',
};

describe('The folder for the state of a program', () => {
  it.each<readonly [string, Partial<ProgramFacts>, string]>([
    ['below the home', {}, '/home/ada/.local/state/hexagent/shop-server-'],
    ['where the user wants state', { variables: { XDG_STATE_HOME: '/var/state' } }, '/var/state/hexagent/shop-server-'],
    ['below the home, for a path that is not absolute', { variables: { XDG_STATE_HOME: 'here' } }, '/home/ada/.local/'],
    ['below the home, for an empty path', { variables: { XDG_STATE_HOME: '' } }, '/home/ada/.local/state/hexagent/'],
    [
      'in the local data of Windows',
      {
        platform: 'win32',
        variables: { LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local', XDG_STATE_HOME: '/var/state' },
        main: 'C:\\shop\\server.js',
        cwd: 'C:\\shop',
      },
      'C:\\Users\\ada\\AppData\\Local\\hexagent\\shop-server-',
    ],
    [
      'below the home of Windows',
      { platform: 'win32', home: 'C:\\Users\\ada', main: 'C:\\shop\\server.js', cwd: 'C:\\shop' },
      'C:\\Users\\ada\\AppData\\Local\\hexagent\\shop-server-',
    ],
    ['named by its folder alone, without a file', { main: '' }, '/home/ada/.local/state/hexagent/shop-'],
    ['without what a path could mean', { main: '/a/../..; rm é.js' }, '/home/ada/.local/state/hexagent/shop-.._rm_-'],
  ])('is %s', (_, changes, beginning) => {
    const folder = stateFolderOf({ ...facts, ...changes }, 'chats');
    expect(folder.startsWith(beginning), folder).toBe(true);
    expect(folder).toMatch(/[-][0-9a-f]{16}[\\/]chats$/);
  });

  it.each([[''], ['here'], ['./home']])('is nowhere below the home %j, which is not an absolute path', (home) => {
    expect(() => stateFolderOf({ ...facts, home }, 'chats')).toThrow(`${JSON.stringify(home)}, is no absolute path`);
    const variables = { XDG_STATE_HOME: '/var/state' };
    expect(stateFolderOf({ ...facts, home, variables }, 'chats')).toContain('/var/state/hexagent/');
  });

  it('is the same for each process of a program, and another one for another file, working directory or purpose', () => {
    const folders = [
      stateFolderOf(facts, 'chats'),
      stateFolderOf({ ...facts, main: '/srv/shop/admin.js' }, 'chats'),
      stateFolderOf({ ...facts, main: '/opt/server.js' }, 'chats'),
      stateFolderOf({ ...facts, cwd: '/srv/other/shop' }, 'chats'),
      stateFolderOf(facts, 'sessions'),
    ];
    expect(new Set(folders).size).toBe(folders.length);
    expect(stateFolderOf({ ...facts }, 'chats')).toBe(folders[0]);
  });

  it('has a name of a length that every file system takes', () => {
    const long = 'x'.repeat(250);
    expect(
      stateFolderOf({ ...facts, cwd: `/srv/${long}` }, 'chats')
        .split('/')
        .at(-2)?.length,
    ).toBeLessThan(80);
  });
});
