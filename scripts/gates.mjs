// Runs every gate beside the tests, one after the other, to the end: `node scripts/gates.mjs [--report FILE] [NAME…]`.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { root } from './workspace.mjs';

/** Root scripts, the quick ones first. From `build` on, each reads what it made. */
const gates = [
  'format:check',
  'lint',
  'typecheck',
  'deps',
  'knip',
  'changesets',
  'build',
  'pins',
  'publishable',
  'packed',
  'examples',
];

const { values, positionals } = parseArgs({ allowPositionals: true, options: { report: { type: 'string' } } });

function pass(name) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  const options = {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    timeout: 1_200_000,
  };
  const passed = spawnSync('pnpm', ['run', name], options).status === 0;
  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  console.log(`== ${name}: ${passed ? 'passed' : 'FAILED'} in ${seconds} s`);
  return { name, passed, seconds };
}

const results = [];
for (const name of positionals.length > 0 ? positionals : gates) {
  const result = pass(name);
  results.push(result);
  // What comes after reads the build, and would only repeat in other words that there is none.
  if (name === 'build' && !result.passed) break;
}
if (values.report) writeFileSync(values.report, JSON.stringify(results));
if (!results.every(({ passed }) => passed)) process.exitCode = 1;
