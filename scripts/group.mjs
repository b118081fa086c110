// Runs one group of tests, and states its count and its time: `node scripts/group.mjs cli [OPTIONS OF VITEST…]`.
// `scripts/check.mjs` reads the report that stays.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { reportOf, root } from './workspace.mjs';

const [name, ...options] = process.argv.slice(2);
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportOf(name)}`];
// `older` stands for `older-cli` and `older-mcp-sdk-132`, too.
const args = [vitest, 'run', `--project=${name}`, `--project=${name}-*`, ...reporters, ...options];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
