import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../workspace.mjs';
import { Folder } from './planted.ts';

const gate = path.join(root, 'scripts/changeset-gate.mjs');
const changeset = (name: string): string => `---\n'@hexagent/${name}': patch\n---\n\nSomething is better.\n`;

function writeManifest(folder: Folder, name: string, version: string): void {
  const manifest = { name: `@hexagent/${name}`, version, private: name === 'bench' };
  folder.write(`packages/${name}/package.json`, JSON.stringify(manifest, null, 2));
}

/** Published packages, among them the drop-in, whose version follows another, and a private one. Without a remote. */
function repository(): Folder {
  const folder = new Folder();
  folder.run('git', 'init', '-q', '-b', 'main');
  folder.write('package.json', '{ "private": true }');
  folder.write('pnpm-workspace.yaml', 'packages: [packages/*]');
  folder.write('.changeset/config.json', readFileSync(path.join(root, '.changeset/config.json'), 'utf8'));
  folder.write('CHANGELOG.md', '# Changelog\n');
  for (const name of ['ports', 'sdk', 'claude-agent-sdk', 'bench']) writeManifest(folder, name, '0.1.0');
  folder.commit('Begin');
  return folder;
}

/** Whether the gate lets a commit with changes of these files pass. */
function passes(folder: Folder, ...files: readonly string[]): boolean {
  for (const file of files) folder.write(file, `export const changed = ${Math.random()};\n`);
  folder.commit('Change');
  return folder.run(process.execPath, gate, folder.dir).status === 0;
}

describe('The changeset gate', () => {
  it('lets private packages, tests, documents and the drop-in change in silence', () => {
    using folder = repository();
    const silent = [
      'bench/src/index.ts',
      'ports/test/some.test.ts',
      'ports/README.md',
      'claude-agent-sdk/src/index.ts',
    ];
    expect(passes(folder, ...silent.map((file) => `packages/${file}`))).toBe(true);
  });

  it('fails on the main branch itself when a package changed without a changeset, and anew after each release', () => {
    using folder = repository();
    expect(passes(folder, 'packages/ports/src/index.ts')).toBe(false);
    folder.write('.changeset/kind-owls.md', changeset('ports'));
    expect(passes(folder, 'packages/ports/src/index.ts')).toBe(true);
    // As `pnpm release:version` does, or by hand for a version that is not published yet.
    rmSync(path.join(folder.dir, '.changeset/kind-owls.md'));
    expect(passes(folder, 'CHANGELOG.md')).toBe(true);
    expect(passes(folder, 'packages/sdk/src/index.ts')).toBe(false);
  });

  it('fails when a changeset names a package that does not exist', () => {
    using folder = repository();
    folder.write('.changeset/kind-owls.md', changeset('prots'));
    expect(passes(folder, 'packages/ports/src/index.ts')).toBe(false);
  });
});
