import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fixture } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

const run = promisify(execFile);

let app: string;
beforeEach(async () => {
  app = await mkdtemp(join(await realpath(tmpdir()), 'hexagent-test-'));
});
afterEach(() => rm(app, { recursive: true }));

const sdk = '@anthropic-ai/claude-agent-sdk';
const build = `${sdk}-linux-${process.arch}`;

async function file(path: string, content = ''): Promise<string> {
  const full = join(app, path);
  await mkdir(dirname(full), { recursive: true });
  await writeFile(full, content, { mode: 0o755 });
  return full;
}

/** As the official package is made: only its root can be imported. */
async function install(folder: string): Promise<void> {
  await file(`${folder}/package.json`, JSON.stringify({ name: sdk, version: '1.2.3', exports: { '.': './sdk.mjs' } }));
  await file(`${folder}/sdk.mjs`);
}

/** In a process of its own, because a test runner's start script may add folders to where Node looks (`NODE_PATH`). */
async function located(resolveFrom: string | URL): Promise<string> {
  const args = ['--conditions=@hexagent/source', fixture('located.ts'), String(resolveFrom)];
  const { stdout } = await run(process.execPath, args, { env: { HOME: join(app, 'nobody') } });
  return stdout.trim();
}

describe('The build that an application installed is found', () => {
  it('in a flat tree', async () => {
    await install(`node_modules/${sdk}`);
    const claude = await file(`node_modules/${build}/claude`);
    await file(`node_modules/${build}/package.json`, '{}');
    expect(await located(app)).toBe(claude);
  });

  it('in a strict tree, where it is a neighbour of the package that asked for it', async () => {
    const store = `node_modules/.pnpm/${sdk.replace('/', '+')}@1.2.3/node_modules`;
    await install(`${store}/${sdk}`);
    const claude = await file(`node_modules/.pnpm/build@1.2.3/node_modules/${build}/claude`);
    await symlink(dirname(claude), join(app, store, build));
    await mkdir(join(app, 'node_modules/@anthropic-ai'), { recursive: true });
    await symlink(join(app, store, sdk), join(app, 'node_modules', sdk));
    expect(await located(app)).toBe(claude);
  });

  it('from a module of it, given as a path or as a URL', async () => {
    await install(`node_modules/${sdk}`);
    const claude = await file(`node_modules/${build}/claude`);
    const main = await file('src/main.js');
    expect(await located(main)).toBe(claude);
    expect(await located(pathToFileURL(main))).toBe(claude);
    expect(await located(pathToFileURL(main).href)).toBe(claude);
  });

  it('when it is all that was installed', async () => {
    const claude = await file(`node_modules/${build}/claude`);
    expect(await located(app)).toBe(claude);
  });
});
