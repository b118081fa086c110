import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { findCli, hermeticEnv, hermeticHome, requireCli } from '@hexagent/testing/cli';

const onPosix = describe.skipIf(process.platform === 'win32');

describe('A hermetic home', () => {
  it('has empty folders, and is removed with everything in them', async () => {
    const place = await hermeticHome();
    expect((await readdir(place.root)).toSorted()).toEqual(['home', 'tmp', 'work']);
    await mkdir(join(place.home, 'deep', 'er'), { recursive: true });
    await writeFile(join(place.home, 'deep', 'er', 'file'), 'x');
    await place.remove();
    await place.remove();
    expect(existsSync(place.root)).toBe(false);
  });
});

onPosix('A hermetic environment', () => {
  it('has exactly these variables', async () => {
    await using place = await hermeticHome();
    expect(
      hermeticEnv({
        loopback: { url: 'http://127.0.0.1:1' },
        home: place,
        extra: { MINE: 'yes', DISABLE_TELEMETRY: undefined },
      }),
    ).toEqual({
      PATH: process.env['PATH'],
      HOME: place.home,
      TMPDIR: place.tmp,
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:1',
      ANTHROPIC_API_KEY: 'sk-hexagent-loopback',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      MINE: 'yes',
    });
  });
});

onPosix('Finding the CLI', () => {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })));
  });

  async function folder(): Promise<string> {
    const made = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-find-'));
    folders.push(made);
    return made;
  }

  async function put(path: string, content: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  async function officialSdk(modules: string): Promise<string> {
    const sdk = join(modules, '@anthropic-ai', 'claude-agent-sdk');
    await put(join(sdk, 'package.json'), '{"name":"@anthropic-ai/claude-agent-sdk","main":"sdk.mjs"}');
    await put(join(sdk, 'sdk.mjs'), '');
    return sdk;
  }

  /** With both libcs on Linux, as npm installs them where it cannot detect the libc. */
  async function platformPackages(modules: string): Promise<string> {
    const name = `claude-agent-sdk-${process.platform}-${process.arch}`;
    for (const each of process.platform === 'linux' ? [name, `${name}-musl`] : [name]) {
      await put(join(modules, '@anthropic-ai', each, 'package.json'), '{}');
      await put(join(modules, '@anthropic-ai', each, 'claude'), '');
      await chmod(join(modules, '@anthropic-ai', each, 'claude'), 0o755);
    }
    return join(modules, '@anthropic-ai', name);
  }

  it('takes the platform package of the official SDK from a flat tree, from a folder or a module', async () => {
    const app = await folder();
    await officialSdk(join(app, 'node_modules'));
    const found = await platformPackages(join(app, 'node_modules'));
    expect(findCli({ from: app, env: {} })).toMatch(new RegExp(`^${found}(-musl)?/claude$`));
    const fromModule = findCli({ from: pathToFileURL(join(app, 'deep', 'x.test.ts')).href, env: {} });
    expect(fromModule).toBe(findCli({ from: app, env: {} }));
  });

  it('finds it in a strict tree, where only the official SDK can resolve it', async () => {
    const app = await folder();
    const store = join(app, 'store', 'node_modules');
    const sdk = await officialSdk(store);
    const found = await platformPackages(store);
    await mkdir(join(app, 'node_modules', '@anthropic-ai'), { recursive: true });
    await symlink(sdk, join(app, 'node_modules', '@anthropic-ai', 'claude-agent-sdk'));
    expect(findCli({ from: app, env: {} })).toMatch(new RegExp(`${found.slice(app.length)}(-musl)?/claude$`));
  });

  it('prefers CLAUDE_CODE_PATH, and refuses one without a file', async () => {
    const app = await folder();
    await put(join(app, 'mine'), '');
    expect(findCli({ from: app, env: { CLAUDE_CODE_PATH: join(app, 'mine') } })).toBe(join(app, 'mine'));
    expect(() => findCli({ from: app, env: { CLAUDE_CODE_PATH: '/no/such/cli' } })).toThrow(
      'CLAUDE_CODE_PATH is /no/such/cli',
    );
  });

  it('finds the CLI of claude-code in npm, and the one of an installer, as the SDK does', async () => {
    const app = await folder();
    const name = `claude-code-${process.platform}-${process.arch}`;
    const program = join(app, 'node_modules', '@anthropic-ai', name, 'claude');
    await put(join(app, 'node_modules', '@anthropic-ai', 'claude-code', 'package.json'), '{}');
    await put(program, '');
    expect(findCli({ from: app, env: {} })).toBe(program);
    const bin = join(await folder(), 'claude');
    await put(bin, '');
    await chmod(bin, 0o755);
    const elsewhere = await folder();
    expect(findCli({ from: elsewhere, env: { PATH: `.:${dirname(bin)}` } })).toBe(bin);
  });

  it('throws only on CI when there is none', async () => {
    const app = await folder();
    // A person may have installed one in a place of the system, which is found then.
    const here = findCli({ from: app, env: { HOME: app } });
    expect(requireCli({ from: app, env: { HOME: app } })).toBe(here);
    const onCi = (): string | undefined => {
      try {
        return requireCli({ from: app, env: { HOME: app, CI: 'true' } });
      } catch (error) {
        return String(error);
      }
    };
    expect(onCi()).toMatch(here ?? /On CI the tests with the real CLI must run.*was not found/);
  });
});
