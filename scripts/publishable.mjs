// Asks publint and attw about every package as it would be published. Build first.
import { readFileSync } from 'node:fs';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { packAll } from './tarballs.mjs';
import { run, toolPath } from './workspace.mjs';

async function isLintClean({ name, file }) {
  const tarball = new Uint8Array(readFileSync(file)).buffer;
  const { messages, pkg } = await publint({ pack: { tarball }, strict: true, level: 'warning' });
  for (const message of messages) console.log(`${name}: ${formatMessage(message, pkg)}`);
  return messages.length === 0;
}

/** attw downloads @types packages by default, and prints a table per package unless it has something to report. */
function hasRightTypes({ name, file }) {
  const attw = toolPath('@arethetypeswrong/cli', 'attw');
  // Of older resolutions only `require()` of an ES module is left out: the Nodes that we promise can do it, attw's cannot.
  const options = ['--ignore-rules', 'cjs-resolves-to-esm', '--no-definitely-typed', '--no-emoji'];
  const ask = (extra, stdio) => run(process.execPath, [attw, file, ...options, ...extra], { stdio });
  if (ask(['--quiet'], 'ignore')) return true;
  console.log(`${name}: attw complains.`);
  ask(['--format', 'ascii'], 'inherit');
  return false;
}

let failures = 0;
for (const tarball of packAll()) {
  const clean = await isLintClean(tarball);
  const typed = hasRightTypes(tarball);
  if (!clean || !typed) failures += 1;
  console.log(`${clean && typed ? 'ok' : 'NOT OK'}  ${tarball.name}`);
}
if (failures > 0) process.exitCode = 1;
