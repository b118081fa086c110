// Holds every package's public surface to its committed text, `api.txt` beside its package.json.
// `pnpm pins` checks the last build; `pnpm pins --update` rewrites the texts, for a change that is meant.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { surfaceOf } from './surface.mjs';
import { publishedPackages, root } from './workspace.mjs';

const update = process.argv.includes('--update');
const base = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? root;

const changed = publishedPackages(base).filter((workspacePackage) => {
  const file = path.join(workspacePackage.dir, 'api.txt');
  const pinned = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const surface = surfaceOf(workspacePackage);
  if (pinned === surface) return false;
  if (update) writeFileSync(file, surface);
  else console.error(`${workspacePackage.folder}/api.txt:\n${difference(pinned, surface)}`);
  return true;
});

/** Lines that went or came; order is settled, so a set shows what a reviewer needs. */
function difference(before, after) {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const gone = old.filter((line) => !now.includes(line)).map((line) => `  - ${line}`);
  const come = now.filter((line) => !old.includes(line)).map((line) => `  + ${line}`);
  return [...gone, ...come].join('\n');
}

if (update) {
  console.log(`${changed.length} surfaces rewritten.`);
} else if (changed.length > 0) {
  console.error('The public surface differs from its pin. If that is meant: pnpm pins --update, and commit api.txt.');
  process.exitCode = 1;
} else {
  console.log('Every public surface is as pinned.');
}
