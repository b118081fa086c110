import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';

// Put together here, so that this file does not hold what it looks for.
const machinePaths = [
  ['', 'work', ''],
  ['', 'opt', 'hx'],
].map((parts) => parts.join('/'));
const registryHost = new RegExp(['registry', '[a-z0-9-]+', '(?:org|com|net|io|dev)'].join('\\.'));

function committedFiles(): readonly string[] {
  const { stdout } = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = stdout.split('\0').filter(Boolean);
  return files.filter((file) => existsSync(path.join(root, file)) && statSync(path.join(root, file)).isFile());
}

const holding = (pattern: RegExp, files: readonly string[]): readonly string[] =>
  files.filter((file) => pattern.test(readFileSync(path.join(root, file), 'utf8')));

describe('The tree', () => {
  it('names no package registry, in the lockfile neither', () => {
    const files = committedFiles();
    expect(files).toContain('pnpm-lock.yaml');
    expect(holding(registryHost, files)).toEqual([]);
  });

  it('names no path of the machine it was written on', () => {
    // The folders that the recordings play in happen to be called like one of ours.
    const machinePath = new RegExp(`(?<![\\w.])(?:${machinePaths.join('|')})(?!project|other)`);
    expect(holding(machinePath, committedFiles())).toEqual([]);
    expect(machinePath.test(machinePaths.map((folder) => `cd ${folder}main`).join('\n'))).toBe(true);
  });

  it('sees a registry and a path when there is one', () => {
    expect(registryHost.test(['tarball: https://registry', 'npmjs', 'org/x'].join('.'))).toBe(true);
    expect(registryHost.test('this.#registry.get(name)')).toBe(false);
  });
});

describe('The lockfile', () => {
  // A lockfile made while a release is incomplete leaves the other platforms without their binaries, in silence.
  const natives = {
    turbo: ['@turbo/linux-64', '@turbo/darwin-arm64', '@turbo/windows-64'],
    typescript: [
      '@typescript/typescript-linux-x64',
      '@typescript/typescript-darwin-arm64',
      '@typescript/typescript-win32-x64',
    ],
    rolldown: ['@rolldown/binding-linux-x64-gnu', '@rolldown/binding-darwin-arm64', '@rolldown/binding-win32-x64-msvc'],
    oxlint: ['@oxlint/binding-linux-x64-gnu', '@oxlint/binding-darwin-arm64', '@oxlint/binding-win32-x64-msvc'],
    tsgolint: ['@oxlint-tsgolint/linux-x64', '@oxlint-tsgolint/darwin-arm64', '@oxlint-tsgolint/win32-x64'],
    oxfmt: ['@oxfmt/binding-linux-x64-gnu', '@oxfmt/binding-darwin-arm64', '@oxfmt/binding-win32-x64-msvc'],
    bun: ['linux-x64', 'linux-aarch64', 'linux-x64-musl', 'darwin-aarch64', 'darwin-x64', 'windows-x64'].map(
      (platform) => `@oven/bun-${platform}`,
    ),
    deno: ['linux-x64-glibc', 'linux-arm64-glibc', 'darwin-arm64', 'darwin-x64', 'win32-x64'].map(
      (platform) => `@deno/${platform}`,
    ),
    cli: ['linux-x64', 'linux-x64-musl', 'linux-arm64', 'darwin-arm64', 'darwin-x64', 'win32-x64'].map(
      (platform) => `@anthropic-ai/claude-agent-sdk-${platform}`,
    ),
  };

  it.each(Object.entries(natives))('lists the binaries of %s for Linux, macOS and Windows', (_tool, packages) => {
    const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'), 'utf8');
    expect(packages.filter((name) => !lockfile.includes(`\n  '${name}@`))).toEqual([]);
  });
});
