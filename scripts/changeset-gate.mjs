// `changeset status` with a base: without one it passes whatever has landed on main. The base is the last commit of CHANGELOG.md:
// the changesets that waited went into it. A clone may lack tags.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { root, run, toolPath } from './workspace.mjs';

const cwd = path.resolve(process.argv[2] ?? root);
const lastRelease = ['log', '-1', '--format=%H', '--', 'CHANGELOG.md'];
const base = spawnSync('git', lastRelease, { cwd, encoding: 'utf8' }).stdout.trim();
const status = [toolPath('@changesets/cli', 'changeset'), 'status', `--since=${base}`];
if (!base) throw new Error(`No commit to compare with in ${cwd}: is it a git repository?`);
if (!run(process.execPath, status, { cwd })) process.exitCode = 1;
