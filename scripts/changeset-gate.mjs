// Fails when a published package changed since the last release and no changeset names it.
// `changeset status` cannot do this: without a base it passes whatever has landed on main, and with one it is content
// with a single changeset for any package.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { publishedPackages, root } from './workspace.mjs';

const cwd = path.resolve(process.argv[2] ?? root);

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : '';
}

/** All packages are released together, so the tag of any of them marks the release; before the first, the root commit. */
function lastRelease() {
  const tag = git('describe', '--tags', '--abbrev=0', '--match', '@hexagent/*@*');
  return tag || git('rev-list', '--max-parents=0', 'HEAD').split('\n').at(-1);
}

/** Packages with a change that reaches users. One whose version was raised has reported it already, in its changelog. */
function changedSince(base) {
  const files = [
    ...git('diff', '--name-only', base).split('\n'),
    ...git('ls-files', '--others', '--exclude-standard').split('\n'),
  ];
  const touches = (folder) => (file) => file.startsWith(`${folder}/src/`) || file === `${folder}/package.json`;
  return publishedPackages(cwd)
    .filter(({ folder }) => files.some(touches(folder)))
    .filter(({ folder, manifest }) => [undefined, manifest.version].includes(versionAt(base, folder)));
}

function versionAt(commit, folder) {
  const manifest = git('show', `${commit}:${folder}/package.json`);
  return manifest === '' ? undefined : JSON.parse(manifest).version;
}

/** The names in the front matter of every changeset that waits for a release. */
function announced() {
  const texts = globSync('.changeset/*.md', { cwd }).map((file) => readFileSync(path.join(cwd, file), 'utf8'));
  const headers = texts.map((text) => text.match(/^---\n(.*?)^---$/ms)?.[1] ?? '');
  const bumps = headers.flatMap((header) => [...header.matchAll(/^['"]?([^'":\s]+)['"]?: (?:patch|minor|major)$/gm)]);
  return new Set(bumps.map(([, name]) => name));
}

const base = lastRelease();
if (!base) throw new Error(`No commit to compare with in ${cwd}: is it a git repository?`);
const names = announced();
const known = new Set(publishedPackages(cwd).map(({ name }) => name));
const complaints = [
  ...changedSince(base)
    .filter(({ name }) => !names.has(name))
    .map(({ name }) => `${name} changed since ${base}, and no changeset tells its users: pnpm changeset`),
  ...[...names].filter((name) => !known.has(name)).map((name) => `A changeset names ${name}, which is not published.`),
];
for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exitCode = 1;
else console.log(`Every package changed since ${base} has a changeset.`);
