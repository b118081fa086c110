import { SdkError } from '@hexagent/ports';
import { findCli } from '@hexagent/processes';
import { describe, expect, it } from 'vitest';
import { drawHost, type Drawing } from './drawn-host.ts';
import { code, failureOf, found, pathOf, sdk } from './searching.ts';

const installed = `/app/node_modules/${sdk}-linux-x64/claude`;

describe('The CLI is', () => {
  const everywhere: Drawing = {
    env: { CLAUDE_CODE_PATH: '/env/one', CLAUDE_CLI_PATH: '/env/two', PATH: '/bin' },
    files: ['/bin/claude', '/home/ada/.local/bin/claude', installed],
  };

  it('what the option names, before all else', () => {
    expect(found(drawHost(everywhere), '/opt/claude')).toEqual({
      path: '/opt/claude',
      through: 'the option `executable`',
    });
  });

  it('what CLAUDE_CODE_PATH names, then CLAUDE_CLI_PATH', () => {
    expect(pathOf(everywhere)).toBe('/env/one');
    expect(pathOf({ ...everywhere, env: { CLAUDE_CLI_PATH: '/env/two' } })).toBe('/env/two');
  });

  it('searched for when a variable is empty', () => {
    expect(pathOf({ files: ['/bin/claude'], env: { CLAUDE_CODE_PATH: '', PATH: '/bin' } })).toBe('/bin/claude');
  });

  it('the build that the application installed, before what the person installed', () => {
    expect(pathOf({ ...everywhere, env: { PATH: '/bin' } })).toBe(installed);
  });

  it('found in PATH, then in the usual places', () => {
    const files = ['/bin/claude', '/home/ada/.local/bin/claude'];
    expect(pathOf({ files, env: { PATH: '/nowhere:/bin' } })).toBe('/bin/claude');
    expect(pathOf({ files })).toBe('/home/ada/.local/bin/claude');
    expect(pathOf({ files: ['/nvm/v24/bin/claude'], execPath: '/nvm/v24/bin/node' })).toBe('/nvm/v24/bin/claude');
  });

  it('searched in PATH when a bare name is given', () => {
    expect(pathOf({ env: { PATH: '/bin' }, files: ['/bin/wrapper'] }, 'wrapper')).toBe('/bin/wrapper');
    expect(pathOf({ env: { PATH: '/bin', CLAUDE_CODE_PATH: 'wrapper' }, files: ['/bin/wrapper'] })).toBe(
      '/bin/wrapper',
    );
  });

  it('not searched for elsewhere when a bare name is not in PATH', () => {
    const { failure, message } = failureOf({ ...everywhere, env: { PATH: '/usr/bin' } }, 'claude');
    expect(failure).toBe('missing');
    expect(message).toContain('no program claude in PATH (/usr/bin), which was named by the option `executable`');
  });

  it('never what a variable names by a relative path', () => {
    for (const CLAUDE_CODE_PATH of ['./claude', 'bin/claude', '../claude', '.']) {
      const { failure, message } = failureOf({ env: { CLAUDE_CODE_PATH, PATH: '/bin' }, files: ['/bin/claude'] });
      expect(failure).toBe('missing');
      expect(message).toContain('CLAUDE_CODE_PATH');
    }
  });
});

describe('A search in PATH', () => {
  it('skips empty and relative entries, and a file that may not be run', () => {
    const env = { PATH: ':.:bin:./bin:~/bin:/first:/second' };
    const files = ['claude', 'bin/claude', '~/bin/claude', '/first/claude', '/second/claude'];
    expect(pathOf({ env, files, notExecutable: ['/first/claude'] })).toBe('/second/claude');
  });

  it('continues after a folder that cannot be read, and names it when nothing was found', () => {
    const codes = ['EACCES', 'ELOOP', 'ENAMETOOLONG', 'EIO', 'ENOTDIR'];
    const unreadable = Object.fromEntries(codes.map((each) => [`/${each}`, each]));
    const PATH = [...codes.map((each) => `/${each}`), 'relative', '/bin'].join(':');
    expect(pathOf({ env: { PATH }, unreadable, files: ['/bin/claude'] })).toBe('/bin/claude');
    for (const executable of [undefined, 'wrapper']) {
      const { message } = failureOf({ env: { PATH }, unreadable }, executable);
      for (const each of codes) expect(message).toContain(`\n  - /${each} (${each})`);
      expect(message).toContain('\n  - relative (not absolute)');
      expect(message).not.toContain('- /bin');
    }
  });

  it('on Windows skips what depends on the current folder or drive, in quotes too', () => {
    const PATH = ';.;bin;C:bin;\\bin;/bin;"D:\\Program Files\\x"';
    const files = ['claude.exe', 'bin\\claude.exe', 'C:bin\\claude.exe', '\\bin\\claude.exe', '/bin/claude.exe'];
    const drawing: Drawing = { platform: 'win32', homes: [], env: { PATH } };
    expect(failureOf({ ...drawing, files }).message).toContain('- C:bin (not absolute)');
    expect(pathOf({ ...drawing, files: [...files, 'D:\\Program Files\\x\\claude.exe'] })).toBe(
      'D:\\Program Files\\x\\claude.exe',
    );
    expect(pathOf({ ...drawing, env: { PATH: '\\\\server\\share' }, files: ['\\\\server\\share\\claude.exe'] })).toBe(
      '\\\\server\\share\\claude.exe',
    );
  });
});

describe('A home', () => {
  it('that is named by a relative path is not searched, and the next one is', () => {
    const files = ['.local/bin/claude', './.local/bin/claude', '/home/ada/.local/bin/claude'];
    for (const home of ['', '.', './', '..', 'home'])
      expect(pathOf({ homes: [home, '/home/ada'], files })).toBe('/home/ada/.local/bin/claude');
    expect(failureOf({ homes: [''], files }).failure).toBe('missing');
  });

  it('that everybody may write to is searched only for what root or this user put there', () => {
    const drawing: Drawing = { homes: ['/tmp'], openToAll: ['/tmp'], files: ['/tmp/.local/bin/claude'] };
    expect(failureOf({ ...drawing, owners: { '/tmp/.local': 1001 } }).failure).toBe('missing');
    for (const owner of [0, 1000])
      expect(pathOf({ ...drawing, owners: { '/tmp/.local': owner } })).toBe('/tmp/.local/bin/claude');
  });

  it('on Windows is found through APPDATA too, when that is absolute', () => {
    const files = {
      'C:\\Users\\ada\\AppData\\Roaming\\npm\\claude.cmd': '"%dp0%\\x.exe"',
      'C:\\Users\\ada\\AppData\\Roaming\\npm\\x.exe': '',
    };
    for (const APPDATA of ['C:\\Users\\ada\\AppData\\Roaming', '', '.'])
      expect(pathOf({ platform: 'win32', homes: ['C:\\Users\\ada'], env: { APPDATA }, files })).toBe(
        'C:\\Users\\ada\\AppData\\Roaming\\npm\\x.exe',
      );
  });
});

describe('Whatever the environment holds', () => {
  const values = [
    '',
    '.',
    './',
    '..',
    'x',
    'x/y',
    'x\\y',
    'C:',
    'C:x',
    '\\',
    '\\x',
    '~',
    '/',
    'C:\\',
    ':',
    ';',
    '"."',
    '/x:.',
    'C:\\x;.',
  ];

  it.each(['linux', 'darwin', 'win32', 'freebsd'] as const)('a search on %s reads absolute paths alone', (platform) => {
    const absolute = platform === 'win32' ? /^(?:[A-Z]:[\\/]|[\\/]{2})/i : /^\//;
    for (const value of values) {
      for (const name of ['PATH', 'CLAUDE_CODE_PATH', 'CLAUDE_CLI_PATH', 'APPDATA']) {
        const roots = platform === 'win32' ? ['C:\\app\\main.js'] : ['/app/main.js'];
        const execPath = platform === 'win32' ? 'C:\\node.exe' : '/usr/bin/node';
        const host = drawHost({ platform, homes: [value], env: { [name]: value }, roots, execPath });
        findCli(host);
        findCli(host, 'claude');
        expect(host.asked.filter((path) => !absolute.test(path))).toEqual([]);
      }
    }
  });
});

describe('On Windows', () => {
  const npm = 'C:\\Users\\ada\\AppData\\Roaming\\npm';
  const windows: Drawing = { platform: 'win32', homes: ['C:\\Users\\ada'], roots: [], env: { PATH: `C:\\bin;${npm}` } };
  const shim = (target: string): string =>
    `@ECHO off\r\nSETLOCAL\r\nIF EXIST "%dp0%\\node.exe" (SET "_prog=%dp0%\\node.exe")\r\nendLocal & "%_prog%"  "%dp0%\\${target}" %*\r\n`;

  it('#21 claude.exe comes before a batch file', () => {
    expect(pathOf({ ...windows, files: ['C:\\bin\\claude.exe', 'C:\\bin\\claude.cmd'] })).toBe('C:\\bin\\claude.exe');
  });

  it('a bare name may have its ending', () => {
    expect(pathOf({ ...windows, files: ['C:\\bin\\mine.exe'] }, 'mine.exe')).toBe('C:\\bin\\mine.exe');
  });

  it('#21 what a batch file leads to is run instead of it', () => {
    const script = `${npm}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;
    const files = {
      [`${npm}\\claude.cmd`]: shim('node_modules\\@anthropic-ai\\claude-code\\cli.js'),
      [`${npm}\\node.exe`]: '',
      [script]: '',
    };
    expect(pathOf({ ...windows, files })).toBe(script);
  });

  it('#21 a batch file that leads nowhere is refused', () => {
    const { failure, message } = failureOf(
      { ...windows, files: { 'C:\\bin\\mine.cmd': '@start claude' } },
      'C:\\bin\\mine.cmd',
    );
    expect(failure).toBe('unusable');
    expect(message).toContain('C:\\bin\\mine.cmd is a batch file');
  });
});

describe('#7 A CLI that is nowhere', () => {
  it('is reported with every place that was searched', () => {
    const { failure, message } = failureOf({ env: { PATH: '/usr/bin:/bin' } });
    expect(failure).toBe('missing');
    for (const place of [
      'CLAUDE_CODE_PATH',
      'CLAUDE_CLI_PATH',
      `${sdk}-linux-x64,`,
      `${code}-linux-x64-musl,`,
      '/app/main.js',
      '/usr/bin:/bin',
      '/home/ada/.local/bin/claude',
    ]) {
      expect(message).toContain(place);
    }
    expect(message).not.toContain('Skipped');
    expect(failureOf({ roots: [] }).message).toContain('this program has no file to search from');
  });

  it('is reported with what to install on this system', () => {
    expect(failureOf({ libc: 'musl' }).message).toContain(
      'npm install @anthropic-ai/claude-code@latest (which brings @anthropic-ai/claude-code-linux-x64-musl)',
    );
    expect(failureOf({ platform: 'darwin', arch: 'arm64' }).message).toContain(
      '@anthropic-ai/claude-code-darwin-arm64',
    );
    expect(failureOf({ platform: 'freebsd' }).message).toContain('no build of the CLI for freebsd-x64');
  });

  it.each([
    ['an installed package', sdk, '0.3.328'],
    ['a package in its place, which has versions of its own', '@hexagent/claude-agent-sdk', '0.1.0'],
  ])('is reported with the very build that is missing beside %s', (_what, name, version) => {
    const manifest = { name, version, optionalDependencies: { [`${sdk}-linux-x64`]: '0.3.328' } };
    const files = { [`/app/node_modules/${sdk}/package.json`]: JSON.stringify(manifest) };
    const { message } = failureOf({ files });
    expect(message).toContain(`${sdk}@${version} is installed without its build`);
    expect(message).toContain(`npm install ${sdk}-linux-x64@0.3.328`);
  });

  it.each(['@hexagent/sdk', '@hexagent/claude-agent-sdk'])(
    'is reported with the build that %s brings, where optional packages were left out',
    (name) => {
      const manifest = { name, version: '0.1.0', optionalDependencies: { [`${sdk}-linux-x64`]: '0.3.328' } };
      const files = { [`/app/node_modules/${name}/package.json`]: JSON.stringify(manifest) };
      const { message } = failureOf({ files });
      expect(message).toContain(`${name}@0.1.0 is installed without its build`);
      expect(message).toContain(`npm install ${sdk}-linux-x64@0.3.328`);
    },
  );

  it.each([
    ['an early version, which had no builds', { name: code, version: '1.0.128', bin: { claude: 'cli.js' } }],
    ['another package under the name', { name: '@hexagent/other', version: '0.0.0' }],
  ])('is not reported as missing beside %s', (_what, manifest) => {
    const files = { [`/app/node_modules/${code}/package.json`]: JSON.stringify(manifest) };
    const { message } = failureOf({ files });
    expect(message).toContain('npm install @anthropic-ai/claude-code@latest (which');
    // Another one beside it would leave the reader to choose.
    expect(`${message} ${new SdkError('AGENT_NOT_FOUND', message).remedy}`.match(/npm install/g)).toHaveLength(1);
  });
});
