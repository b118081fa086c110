// Raises the versions by the changesets that wait, and moves their texts into CHANGELOG.md, as the section of the new version.
// Changesets itself would write a page for each package, and all of them have one version.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readJson, root, run, toolPath } from './workspace.mjs';

const cwd = path.resolve(process.argv[2] ?? root);
const page = path.join(cwd, 'CHANGELOG.md');

function waitingChangesets() {
  return globSync('.changeset/*.md', { cwd })
    .toSorted()
    .flatMap((file) => {
      const [, header, text] = readFileSync(path.join(cwd, file), 'utf8').match(/^---\n(.*?)^---\n(.*)$/ms) ?? [];
      return header === undefined ? [] : [{ isPatch: !/: (?:minor|major)$/m.test(header), text: text.trim() }];
    });
}

const itemsOf = (changesets) => changesets.map(({ text }) => `- ${text.replaceAll(/\n(?=.)/g, '\n  ')}\n`).join('');

function sectionOf(version, changesets) {
  const parts = {
    'New and changed': changesets.filter(({ isPatch }) => !isPatch),
    Repaired: changesets.filter(({ isPatch }) => isPatch),
  };
  const texts = Object.entries(parts).map(([title, some]) =>
    some.length === 0 ? '' : `### ${title}\n\n${itemsOf(some)}\n`,
  );
  return `## ${version}\n\n${texts.join('')}`;
}

const changesets = waitingChangesets();
if (run(process.execPath, [toolPath('@changesets/cli', 'changeset'), 'version'], { cwd })) {
  const { version } = readJson(path.join(cwd, 'packages/sdk/package.json'));
  const text = readFileSync(page, 'utf8');
  const [{ index } = { index: text.length }] = text.matchAll(/^## /gm);
  writeFileSync(page, text.slice(0, index) + sectionOf(version, changesets) + text.slice(index));
  console.log(`CHANGELOG.md has a section for ${version}: sort it by topic, then commit.`);
} else process.exitCode = 1;
