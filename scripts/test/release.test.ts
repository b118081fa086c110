import { existsSync, globSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedPackages, readJson, root } from '../workspace.mjs';
import { copyOfWorkspace, type Folder } from './planted.ts';

const official = '@hexagent/claude-agent-sdk';

const versionsIn = (base: string): ReadonlyMap<string, string> =>
  new Map(publishedPackages(base).map(({ name, manifest }) => [name, manifest.version]));

const release = (workspace: Folder) =>
  workspace.run(process.execPath, path.join(root, 'scripts/release.mjs'), workspace.dir);

describe('A release', () => {
  let workspace: Folder;
  let before: ReadonlyMap<string, string>;

  beforeAll(() => {
    workspace = copyOfWorkspace();
    for (const file of globSync('.changeset/*.md', { cwd: workspace.dir })) rmSync(path.join(workspace.dir, file));
    const queues = 'It queues,\nand more.\n\nUse `queue`.';
    workspace.write(
      '.changeset/kind-owls.md',
      `---\n'@hexagent/async': minor\n'@hexagent/sdk': patch\n---\n\n${queues}\n`,
    );
    workspace.write('.changeset/late-mice.md', '---\n"@hexagent/sdk": patch\n---\n\nIt ends.\n');
    workspace.write('CHANGELOG.md', '# Changelog\n\nAll of it.\n\n## 0.0.9\n\n- Old.\n');
    before = versionsIn(workspace.dir);
    const { status, output } = release(workspace);
    if (status !== 0) throw new Error(output);
  });

  afterAll(() => workspace[Symbol.dispose]());

  it('raises all published packages together, except for the one that has the number of the official package', () => {
    const [major, minor] = (before.get('@hexagent/sdk') ?? '').split('.').map(Number);
    const expected = new Map([...before.keys()].map((name) => [name, `${major}.${(minor ?? 0) + 1}.0`]));
    expect(versionsIn(workspace.dir)).toEqual(expected.set(official, before.get(official) ?? ''));
    expect(readJson(path.join(workspace.dir, 'e2e/package.json'))).toMatchObject({ version: '0.0.0' });
  });

  it('moves the texts of the changesets to the one page of changes, above the earlier ones', () => {
    expect(workspace.read('CHANGELOG.md')).toBe(`# Changelog

All of it.

## ${versionsIn(workspace.dir).get('@hexagent/sdk')}

### New and changed

- It queues,
  and more.

  Use \`queue\`.

### Repaired

- It ends.

## 0.0.9

- Old.
`);
    expect(globSync('.changeset/*.md', { cwd: workspace.dir })).toEqual([]);
    expect(publishedPackages(workspace.dir).filter(({ dir }) => existsSync(path.join(dir, 'CHANGELOG.md')))).toEqual(
      [],
    );
  });

  it('is none where nothing waits', () => {
    const page = workspace.read('CHANGELOG.md');
    expect(release(workspace).status).toBe(1);
    expect(workspace.read('CHANGELOG.md')).toBe(page);
  });
});
