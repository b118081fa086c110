import { describe, expect, it } from 'vitest';
import { globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { publishedPackages, root, toolPath } from '../workspace.mjs';
import { copyOfWorkspace, Folder } from './planted.ts';

interface Release {
  readonly name: string;
  readonly type: string;
  readonly newVersion: string;
}

const gate = path.join(root, 'scripts/changeset-gate.mjs');

function commit(folder: Folder, message: string): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  expect(folder.run('git', 'add', '-A').status).toBe(0);
  expect(folder.run('git', ...identity, 'commit', '-q', '-m', message).status).toBe(0);
}

function manifest(name: string, version: string): string {
  return JSON.stringify({ name, version, private: name.endsWith('bench') });
}

/** Two published packages and a private one, committed once. */
function repository(): Folder {
  const folder = new Folder();
  folder.run('git', 'init', '-q', '-b', 'main');
  for (const name of ['ports', 'sdk', 'bench']) {
    folder.write(`packages/${name}/package.json`, manifest(`@hexagent/${name}`, '0.1.0'));
    folder.write(`packages/${name}/src/index.ts`, 'export {};\n');
  }
  commit(folder, 'Begin');
  return folder;
}

const changeset = (name: string): string => `---\n'@hexagent/${name}': patch\n---\n\nSomething is better.\n`;
const pass = (folder: Folder) => folder.run(process.execPath, gate, folder.dir);

describe('The changeset gate', () => {
  it('passes when nothing has changed', () => {
    using folder = repository();
    expect(pass(folder)).toMatchObject({ status: 0 });
  });

  it('fails on the main branch itself when a published package changed without a changeset', () => {
    using folder = repository();
    folder.write('packages/ports/src/index.ts', 'export const changed = true;\n');
    commit(folder, 'Change ports');
    const { status, output } = pass(folder);
    expect(status).toBe(1);
    expect(output).toContain('@hexagent/ports');
  });

  it('fails when the changeset names another package', () => {
    using folder = repository();
    folder.write('packages/ports/src/index.ts', 'export const changed = true;\n');
    folder.write('.changeset/kind-owls.md', changeset('sdk'));
    commit(folder, 'Change ports, announce sdk');
    expect(pass(folder).status).toBe(1);
  });

  it('fails before anything is committed, so that one need not commit to ask', () => {
    using folder = repository();
    folder.write('packages/sdk/src/new.ts', 'export {};\n');
    expect(pass(folder).status).toBe(1);
  });

  it('fails when a changeset names a package that does not exist', () => {
    using folder = repository();
    folder.write('.changeset/kind-owls.md', changeset('prots'));
    expect(pass(folder).output).toContain('@hexagent/prots');
  });

  it('passes when each changed package is named', () => {
    using folder = repository();
    folder.write('packages/ports/src/index.ts', 'export const changed = true;\n');
    folder.write('.changeset/kind-owls.md', changeset('ports'));
    commit(folder, 'Change ports, and say so');
    expect(pass(folder)).toMatchObject({ status: 0 });
  });

  it('lets private packages, tests and documents change in silence', () => {
    using folder = repository();
    folder.write('packages/bench/src/index.ts', 'export const changed = true;\n');
    folder.write('packages/ports/test/some.test.ts', '');
    folder.write('packages/ports/README.md', '# Ports\n');
    commit(folder, 'Change what users do not get');
    expect(pass(folder)).toMatchObject({ status: 0 });
  });

  it('compares with the last release tag once there is one', () => {
    using folder = repository();
    folder.write('packages/ports/src/index.ts', 'export const changed = true;\n');
    commit(folder, 'Change ports');
    folder.run('git', 'tag', '@hexagent/ports@0.2.0');
    expect(pass(folder)).toMatchObject({ status: 0 });
    folder.write('packages/sdk/src/index.ts', 'export const changed = true;\n');
    commit(folder, 'Change sdk');
    expect(pass(folder).status).toBe(1);
  });

  it('passes on the commit that raises the versions, where the changesets have become the changelog', () => {
    using folder = repository();
    folder.write('packages/ports/src/index.ts', 'export const changed = true;\n');
    folder.write('packages/ports/package.json', manifest('@hexagent/ports', '0.2.0'));
    commit(folder, 'Release');
    expect(pass(folder)).toMatchObject({ status: 0 });
  });
});

describe('A release', () => {
  it('raises all published packages together, and no private one', () => {
    using workspace = copyOfWorkspace();
    for (const waiting of globSync('.changeset/*.md', { cwd: workspace.dir }))
      rmSync(path.join(workspace.dir, waiting));
    workspace.run('git', 'init', '-q', '-b', 'main');
    commit(workspace, 'Begin');
    workspace.write('.changeset/kind-owls.md', changeset('async'));
    const tool = toolPath('@changesets/cli', 'changeset');
    expect(workspace.run(process.execPath, tool, 'status', '--output=plan.json').status).toBe(0);
    const plan: { releases: readonly Release[] } = JSON.parse(workspace.read('plan.json'));
    const raised = plan.releases.filter(({ type }) => type !== 'none');
    const published = publishedPackages().map(({ name }) => name);
    expect(raised.map(({ name }) => name).toSorted()).toEqual(published.toSorted());
    expect(new Set(raised.map(({ newVersion }) => newVersion)).size).toBe(1);
  });
});
