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
  // One made while a release is incomplete leaves the other platforms without their binaries, in silence.
  it('lists binaries for Linux, macOS and Windows where it lists any', () => {
    const platforms = new Map<string, Set<string>>();
    const lockfile = readFileSync(path.join(root, 'pnpm-lock.yaml'), 'utf8');
    const named =
      /^ {2}'?(\S+?)[-/](linux|darwin|win32|windows)-(x64|64|arm64|aarch64)(?:-(?:gnu|glibc|msvc))?@[^:]+:$/gm;
    for (const [, family = '', system = '', cpu = ''] of lockfile.matchAll(named)) {
      const found = platforms.get(family) ?? new Set();
      platforms.set(
        family,
        found.add(`${system.replace('windows', 'win32')}-${cpu.startsWith('a') ? 'arm64' : 'x64'}`),
      );
    }
    const withMusl = ['@anthropic-ai/claude-agent-sdk', '@oven/bun'];
    expect(withMusl.filter((name) => !lockfile.includes(`'${name}-linux-x64-musl@`))).toEqual([]);
    // rollup itself names no other.
    platforms.delete('@napi-rs/lzma');
    // There is none for Windows.
    platforms.delete('@restatedev/restate-server');
    const wanted = ['darwin-arm64', 'linux-arm64', 'linux-x64', 'win32-x64'];
    const incomplete = [...platforms].filter(([, found]) => wanted.some((platform) => !found.has(platform)));
    expect(incomplete).toEqual([]);
    expect([...platforms.keys()]).toEqual(
      expect.arrayContaining(['@turbo', '@deno', '@anthropic-ai/claude-agent-sdk']),
    );
  });
});
