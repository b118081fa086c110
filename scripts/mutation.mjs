// Plants one fault after another into the pure tables and the permission core, and counts those that no test finds.
// `pnpm mutation` for all groups, `pnpm mutation placement` for one, `--static` for the tables too. The figures are in bench/notes/mutation.md.
import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root, run, toolPath } from './workspace.mjs';

const permissions = 'packages/domain/permissions';
/** Each with its package, whose tests are run, and what is mutated of it. */
const groups = {
  rules: [permissions, 'rules', 'rule-matching', 'rule-content', 'domain-rules', 'tool-families'],
  policy: [permissions, 'permission-policy', 'permission-service', 'changed-calls'],
  paths: [permissions, 'path-rules', 'glob', 'command-rules', 'tool-call'],
  commands: ['packages/adapters/commands', '*'],
  spending: ['packages/domain/streaming', 'spending/*'],
  turns: ['packages/domain/streaming', 'turn-state', 'may-close-input', 'decide-reading'],
  placement: ['packages/server/fleet', 'place'],
};
const { values, positionals } = parseArgs({
  options: { static: { type: 'boolean', default: false }, workers: { type: 'string', default: '2' } },
  allowPositionals: true,
});
const { static: hasStatic, workers } = values;
const leastScore = 90;
const cache = path.join(root, 'node_modules/.cache/hexagent/mutation');

const asked = positionals.length === 0 ? Object.keys(groups) : positionals;

const sourcesOf = (folder, files) => files.map((file) => `${folder}/src/${file}.ts`);

/** A name that has changed would make a group smaller, and its score one of the rest. */
function checkGroup(group) {
  if (!Object.hasOwn(groups, group))
    throw new Error(`There is no group ${group}. There are ${Object.keys(groups).join(', ')}.`);
  const [folder, ...files] = groups[group];
  for (const source of sourcesOf(folder, files))
    if (globSync(source, { cwd: root }).length === 0) throw new Error(`The group ${group} has no file ${source}.`);
}

function configFor(folder, files, report) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: sourcesOf(folder, files),
    // A copy is mutated, of this package alone: all others are found through node_modules.
    ignorePatterns: [
      '**',
      '!tsconfig.base.json',
      '!vitest.mutation.config.ts',
      `!${folder}/**`,
      '**/node_modules',
      '**/dist',
    ],
    tempDirName: path.join(cache, 'copy'),
    // What a message says is for people, and few tests pin it.
    mutator: { excludedMutations: ['StringLiteral'] },
    // What runs while a module is loaded, such as a table, can only be tried with all tests, each time anew.
    ignoreStatic: !hasStatic,
    concurrency: Number(workers),
    timeoutMS: 10_000,
    reporters: ['json'],
    jsonReporter: { fileName: report },
  };
}

/** What no test found, by file. A fault that could not be tried, such as one that does not compile, counts neither way. */
function survivorsIn(files) {
  return Object.entries(files).map(([file, { mutants, source }]) => {
    const found = mutants.filter(({ status }) => status === 'Killed' || status === 'Timeout').length;
    const alive = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    return { file, planted: found + alive.length, found, alive: alive.map((one) => shown(one, source)) };
  });
}

function shown({ location: { start, end }, replacement, status }, source) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  lines[lines.length - 1] = lines.at(-1).slice(0, end.column - 1);
  lines[0] = lines[0].slice(start.column - 1);
  const text = (code) => code.replaceAll(/\s+/g, ' ');
  return `${start.line}: ${text(lines.join(' '))} -> ${text(replacement)}${status === 'NoCoverage' ? ' (no test gets there)' : ''}`;
}

function mutate(group, [folder, ...files]) {
  mkdirSync(cache, { recursive: true });
  const [config, report] = [`${group}.config.json`, `${group}.json`].map((name) => path.join(cache, name));
  writeFileSync(config, JSON.stringify(configFor(folder, files, report)));
  const env = { ...process.env, HEXAGENT_MUTATED: folder };
  if (!run(process.execPath, [toolPath('@stryker-mutator/core', 'stryker'), 'run', config], { env })) process.exit(1);
  return survivorsIn(readJson(report).files);
}

const score = (found, planted) => `${found} of ${planted} found, ${((100 * found) / planted).toFixed(1)} %`;

asked.forEach(checkGroup);
let [found, planted] = [0, 0];
for (const group of asked)
  for (const one of mutate(group, groups[group]).filter((each) => each.planted > 0)) {
    console.log(`${one.file}: ${score(one.found, one.planted)}`);
    for (const survivor of one.alive) console.log(`  ${survivor}`);
    found += one.found;
    planted += one.planted;
  }
if (planted === 0) throw new Error('No fault was tried.');
console.log(`All: ${score(found, planted)}`);
if (100 * found < leastScore * planted) process.exitCode = 1;
