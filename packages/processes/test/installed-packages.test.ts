import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder, type Folder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

const run = promisify(execFile);
const program = fileURLToPath(new URL('./fixtures/located.ts', import.meta.url));

let app: Folder;
beforeEach(async () => void (app = await temporaryFolder()));
afterEach(() => app[Symbol.asyncDispose]());

const sdk = '@anthropic-ai/claude-agent-sdk';
const build = `${sdk}-linux-${process.arch}`;

/** As the official package is made: only its root can be imported. */
async function install(folder: string): Promise<void> {
  const manifest = JSON.stringify({ name: sdk, version: '1.2.3', exports: { '.': './sdk.mjs' } });
  await app.file(`${folder}/package.json`, manifest);
  await app.file(`${folder}/sdk.mjs`);
}

async function located(resolveFrom: string | URL): Promise<string> {
  const env = { HOME: join(app.path, 'nobody') };
  const { stdout } = await run(process.execPath, ['--conditions=@hexagent/source', program, String(resolveFrom)], {
    env,
  });
  return stdout.trim();
}

describe('The build that an application installed is found', () => {
  it('in a flat tree', async () => {
    await install(`node_modules/${sdk}`);
    const claude = await app.file(`node_modules/${build}/claude`);
    await app.file(`node_modules/${build}/package.json`, '{}');
    expect(await located(app.path)).toBe(claude);
  });

  it('in a strict tree, where it is a neighbour of the package that asked for it', async () => {
    const store = `node_modules/.pnpm/${sdk.replace('/', '+')}@1.2.3/node_modules`;
    await install(`${store}/${sdk}`);
    const claude = await app.file(`node_modules/.pnpm/build@1.2.3/node_modules/${build}/claude`);
    await symlink(dirname(claude), join(app.path, store, build));
    await mkdir(join(app.path, 'node_modules/@anthropic-ai'), { recursive: true });
    await symlink(join(app.path, store, sdk), join(app.path, 'node_modules', sdk));
    expect(await located(app.path)).toBe(claude);
  });

  it('from a module of it, given as a path or as a URL', async () => {
    await install(`node_modules/${sdk}`);
    const claude = await app.file(`node_modules/${build}/claude`);
    const main = await app.file('src/main.js');
    expect(await located(main)).toBe(claude);
    expect(await located(pathToFileURL(main))).toBe(claude);
    expect(await located(pathToFileURL(main).href)).toBe(claude);
  });

  it('when it is all that was installed', async () => {
    const claude = await app.file(`node_modules/${build}/claude`);
    expect(await located(app.path)).toBe(claude);
  });
});
