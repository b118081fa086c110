import { SdkError } from '@hexagent/ports';
import { describe, expect, it } from 'vitest';
import { locate } from '../src/locating.ts';
import type { Surroundings } from '../src/surroundings.ts';

const sdk = '@anthropic-ai/claude-agent-sdk';
const code = '@anthropic-ai/claude-code';

interface Drawn {
  readonly platform?: NodeJS.Platform;
  readonly arch?: string;
  readonly libc?: 'glibc' | 'musl';
  readonly env?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly execPath?: string;
  readonly cwd?: string;
  /** What exists, with its content where that matters. */
  readonly files?: Readonly<Record<string, string>> | readonly string[];
  readonly notExecutable?: readonly string[];
  /** What `require.resolve` finds, as `request <- from`. */
  readonly packages?: Readonly<Record<string, string>>;
}

/** A system as it is drawn. */
function system(drawn: Drawn = {}): Surroundings {
  const { platform = 'linux', arch = 'x64', libc = 'glibc', env = {}, files = [], packages = {} } = drawn;
  const contents = new Map(Array.isArray(files) ? files.map((file: string) => [file, '']) : Object.entries(files));
  return {
    platform,
    arch,
    home: drawn.home ?? '/home/ada',
    cwd: drawn.cwd ?? '/app',
    execPath: drawn.execPath ?? '/usr/bin/node',
    applications: ['/app/main.js'],
    env: (name) => env[name],
    libc: () => libc,
    isFile: (path) => contents.has(path),
    isExecutable: (path) => drawn.notExecutable?.includes(path) !== true,
    resolve: (request, from) => packages[`${request} <- ${from}`],
    read: (path) => contents.get(path) ?? '',
  };
}

function failure(seen: Surroundings, executable?: string): SdkError {
  try {
    locate(seen, executable);
  } catch (error) {
    if (SdkError.is(error)) return error;
    throw error;
  }
  throw new Error('It was located.');
}

describe('The CLI is', () => {
  const everywhere: Drawn = {
    env: { CLAUDE_CODE_PATH: '/env/one', CLAUDE_CLI_PATH: '/env/two', PATH: '/bin' },
    files: ['/bin/claude', '/home/ada/.local/bin/claude'],
    packages: { [`${sdk}-linux-x64/claude <- /app/main.js`]: '/app/node_modules/sdk-linux/claude' },
  };

  it('what the option names, before all else', () => {
    expect(locate(system(everywhere), '/opt/claude')).toEqual({
      path: '/opt/claude',
      through: 'the option `executable`',
    });
  });

  it('what CLAUDE_CODE_PATH names, then CLAUDE_CLI_PATH', () => {
    expect(locate(system(everywhere)).path).toBe('/env/one');
    expect(locate(system({ ...everywhere, env: { CLAUDE_CLI_PATH: '/env/two' } })).path).toBe('/env/two');
  });

  it('searched for when a variable is empty', () => {
    expect(locate(system({ files: ['/bin/claude'], env: { CLAUDE_CODE_PATH: '', PATH: '/bin' } })).path).toBe(
      '/bin/claude',
    );
  });

  it('the build that the application installed, before what the person installed', () => {
    expect(locate(system({ ...everywhere, env: { PATH: '/bin' } })).path).toBe('/app/node_modules/sdk-linux/claude');
  });

  it('found in PATH, then in the usual places', () => {
    expect(locate(system({ ...everywhere, env: { PATH: '/nowhere:/bin' }, packages: {} })).path).toBe('/bin/claude');
    expect(locate(system({ files: everywhere.files ?? [], env: {} })).path).toBe('/home/ada/.local/bin/claude');
    expect(locate(system({ files: ['/nvm/v24/bin/claude'], execPath: '/nvm/v24/bin/node' })).path).toBe(
      '/nvm/v24/bin/claude',
    );
  });

  it('not taken from an empty or a non-executable entry of PATH', () => {
    const drawn = { env: { PATH: ':/first:/second' }, files: ['/app/claude', '/first/claude', '/second/claude'] };
    expect(locate(system({ ...drawn, notExecutable: ['/first/claude'] })).path).toBe('/second/claude');
  });

  it('meant from here when the path is relative, and looked up when it is a bare name', () => {
    expect(locate(system(), './tools/claude').path).toBe('/app/tools/claude');
    expect(locate(system({ env: { PATH: '/bin' }, files: ['/bin/wrapper'] }), 'wrapper').path).toBe('/bin/wrapper');
  });
});

describe('A build in a package', () => {
  it('is seen from the package that asked for it, as in a strict tree', () => {
    const main = '/app/node_modules/.pnpm/sdk/node_modules/@anthropic-ai/claude-agent-sdk/sdk.mjs';
    const packages = {
      [`${sdk} <- /app/main.js`]: main,
      [`${sdk}-darwin-arm64/claude <- ${main}`]: '/app/node_modules/.pnpm/build/claude',
    };
    expect(locate(system({ platform: 'darwin', arch: 'arm64', packages })).path).toBe(
      '/app/node_modules/.pnpm/build/claude',
    );
  });

  it('comes from claude-code too', () => {
    const packages = {
      [`${code}/package.json <- /app/main.js`]: '/app/node_modules/code/package.json',
      [`${code}-linux-arm64/claude <- /app/node_modules/code/package.json`]: '/app/code-build/claude',
    };
    expect(locate(system({ arch: 'arm64', packages })).path).toBe('/app/code-build/claude');
  });

  it('is named claude.exe on Windows', () => {
    const packages = { [`${sdk}-win32-x64/claude.exe <- /app/main.js`]: 'C:\\app\\claude.exe' };
    expect(locate(system({ platform: 'win32', packages })).path).toBe('C:\\app\\claude.exe');
  });

  it('#25 is the one for this libc when both are installed', () => {
    const packages = {
      [`${sdk}-linux-x64/claude <- /app/main.js`]: '/glibc/claude',
      [`${sdk}-linux-x64-musl/claude <- /app/main.js`]: '/musl/claude',
    };
    expect(locate(system({ libc: 'glibc', packages })).path).toBe('/glibc/claude');
    expect(locate(system({ libc: 'musl', packages })).path).toBe('/musl/claude');
  });

  it('is taken without asking for the libc when it is the only one', () => {
    const packages = { [`${sdk}-linux-x64-musl/claude <- /app/main.js`]: '/musl/claude' };
    const seen = system({ packages });
    expect(locate({ ...seen, libc: () => expect.unreachable() }).path).toBe('/musl/claude');
  });

  it('#7 is run from beside an Electron archive, where the system can run it', () => {
    const packages = { [`${sdk}-linux-x64/claude <- /app/main.js`]: '/app/resources/app.asar/node_modules/b/claude' };
    expect(locate(system({ packages })).path).toBe('/app/resources/app.asar.unpacked/node_modules/b/claude');
    expect(locate(system(), '/app/resources/app.asar.unpacked/claude').path).toBe(
      '/app/resources/app.asar.unpacked/claude',
    );
  });
});

describe('On Windows', () => {
  const npm = 'C:\\Users\\ada\\AppData\\Roaming\\npm';
  const windows: Drawn = { platform: 'win32', cwd: 'C:\\app', home: 'C:\\Users\\ada', env: { PATH: `C:\\bin;${npm}` } };
  const shim = (target: string): string =>
    `@ECHO off\r\nSETLOCAL\r\nIF EXIST "%dp0%\\node.exe" (SET "_prog=%dp0%\\node.exe")\r\nendLocal & "%_prog%"  "%dp0%\\${target}" %*\r\n`;

  it('#21 claude.exe comes before a batch file', () => {
    const files = { 'C:\\bin\\claude.exe': '', 'C:\\bin\\claude.cmd': '' };
    expect(locate(system({ ...windows, files })).path).toBe('C:\\bin\\claude.exe');
  });

  it('#21 what a batch file leads to is run instead of it', () => {
    const script = `${npm}\\node_modules\\@anthropic-ai\\claude-code\\cli.js`;
    const files = {
      [`${npm}\\claude.cmd`]: shim('node_modules\\@anthropic-ai\\claude-code\\cli.js'),
      [`${npm}\\node.exe`]: '',
      [script]: '',
    };
    expect(locate(system({ ...windows, files })).path).toBe(script);
  });

  it('#21 a batch file that leads nowhere is refused', () => {
    const seen = system({ ...windows, files: { 'C:\\bin\\mine.cmd': '@start claude' } });
    const error = failure(seen, 'C:\\bin\\mine.cmd');
    expect(error.code).toBe('AGENT_NOT_EXECUTABLE');
    expect(error.message).toContain('C:\\bin\\mine.cmd is a batch file');
  });
});

describe('#7 A CLI that is nowhere', () => {
  it('is told with every place that was looked at', () => {
    const error = failure(system({ env: { PATH: '/usr/bin:/bin' } }));
    expect(error.code).toBe('AGENT_NOT_FOUND');
    for (const place of [
      'CLAUDE_CODE_PATH',
      'CLAUDE_CLI_PATH',
      `${sdk}-linux-x64,`,
      `${code}-linux-x64-musl,`,
      '/app/main.js',
      '/usr/bin:/bin',
      '/home/ada/.local/bin/claude',
    ]) {
      expect(error.message).toContain(place);
    }
  });

  it('is told with what to install on this system', () => {
    expect(failure(system({ libc: 'musl' })).message).toContain(
      'npm install @anthropic-ai/claude-code (which brings @anthropic-ai/claude-code-linux-x64-musl)',
    );
    expect(failure(system({ platform: 'darwin', arch: 'arm64' })).message).toContain(
      '@anthropic-ai/claude-code-darwin-arm64',
    );
    expect(failure(system({ platform: 'freebsd' })).message).toContain('no build of the CLI for freebsd-x64');
  });

  it('is told with the very build that is missing beside an installed package', () => {
    const packages = { [`${sdk} <- /app/main.js`]: '/app/node_modules/sdk/sdk.mjs' };
    const files = { '/app/node_modules/sdk/package.json': '{ "version": "0.3.326" }' };
    expect(failure(system({ packages, files })).message).toContain(`npm install ${sdk}-linux-x64@0.3.326`);
  });
});
