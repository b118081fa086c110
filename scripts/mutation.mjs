// Plants one fault after another into the pure tables and the permission core, and counts those that no test finds.
// `pnpm mutation` for all groups, `pnpm mutation placement` for one, `--static` for the tables too. The figures are in CONTRIBUTING.md.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readJson, root, run, toolPath } from './workspace.mjs';

/** Each with its package, whose tests are run, and what is mutated of it. */
const permissions = 'packages/domain/permissions';
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

function configFor(folder, files, report) {
  return {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'vitest.mutation.config.ts', related: false },
    mutate: files.map((file) => `${folder}/src/${file}.ts`),
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

/** What no test found, by file. */
function survivorsIn(files) {
  return Object.entries(files).map(([file, { mutants, source }]) => {
    const counted = mutants.filter(({ status }) => status !== 'Ignored');
    const alive = counted.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    return {
      file,
      planted: counted.length,
      found: counted.length - alive.length,
      alive: alive.map((one) => shown(one, source)),
    };
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

const percent = (found, planted) => ((100 * found) / planted).toFixed(1);

const results = Object.entries(groups)
  .filter(([group]) => positionals.length === 0 || positionals.includes(group))
  .flatMap(([group, parts]) => mutate(group, parts));
for (const { file, planted, found, alive } of results) {
  console.log(`${file}: ${found} of ${planted} found, ${percent(found, planted)} %`);
  for (const one of alive) console.log(`  ${one}`);
}
const sum = (key) => results.reduce((total, result) => total + result[key], 0);
console.log(`All: ${sum('found')} of ${sum('planted')} found, ${percent(sum('found'), sum('planted'))} %`);
if (100 * sum('found') < leastScore * sum('planted')) process.exitCode = 1;
