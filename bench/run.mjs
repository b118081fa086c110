// Measures the packed facade beside the official SDK and prints one table: `node bench/run.mjs --help`.
// Needs only what Node 20.19 has, since the Node it runs under is by default the one that is measured.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { spawnSync } from 'node:child_process';
import { measure } from './lib/measuring.mjs';
import { packedFacade, resolveFrom } from './lib/packed.mjs';
import { table } from './lib/table.mjs';
import { missed } from './lib/verdicts.mjs';
import { rows } from './rows/rows.mjs';

const usage = `pnpm bench [options]
  --only NAME[,NAME]   these rows only: ${rows.map(({ name }) => name).join(', ')}
  --quick              fewer rounds and smaller tasks
  --check              exits with 1 when a bound is missed; with --quick, only rows that noise cannot sway
  --node PATH          the Node that is measured; default: the one that runs this
  --rounds N           instead of each row's own number of rounds
  --no-build           takes what was packed last time
  --facade FOLDER      takes the @hexagent/sdk that is installed there, instead of building this one
  --also NAME=MODULE   one more subject with the official query(); may be repeated
  --json FILE          writes the medians there`;

const benchFolder = fileURLToPath(new URL('.', import.meta.url));

function argumentsOf() {
  const { values } = parseArgs({
    allowNegative: true,
    options: {
      only: { type: 'string', multiple: true },
      quick: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
      node: { type: 'string', default: process.execPath },
      rounds: { type: 'string' },
      build: { type: 'boolean', default: true },
      facade: { type: 'string' },
      also: { type: 'string', multiple: true, default: [] },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return values;
}

function chosen({ only, quick, check }) {
  const names = only?.flatMap((list) => list.split(','));
  const unknown = names?.find((name) => !rows.some((row) => row.name === name));
  if (unknown !== undefined) throw new Error(`There is no row ${unknown}.\n\n${usage}`);
  if (names !== undefined) return rows.filter(({ name }) => names.includes(name));
  return quick && check ? rows.filter(({ stable }) => stable) : rows;
}

function modulesOf({ facade, build, also }) {
  const place = facade === undefined ? packedFacade({ build }) : path.resolve(facade);
  const others = also.map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    path.resolve(pair.slice(pair.indexOf('=') + 1)),
  ]);
  const files = {
    limit: path.join(benchFolder, 'programs/empty.mjs'),
    hexagent: resolveFrom(place, '@hexagent/sdk/claude-agent-sdk'),
    native: resolveFrom(place, '@hexagent/sdk'),
    official: resolveFrom(benchFolder, '@anthropic-ai/claude-agent-sdk'),
    ...Object.fromEntries(others),
  };
  return {
    place,
    modules: Object.fromEntries(Object.entries(files).map(([name, file]) => [name, pathToFileURL(file).href])),
  };
}

const namesOf = (pairs) => pairs.map((pair) => pair.split('=', 1)[0]);

/** Overwritten in a terminal; in a log, silent. */
const progress = (text) => process.stderr.isTTY && process.stderr.write(`\r\x1b[K${text}`);

async function main(options) {
  if (options.help) return console.log(usage);
  const wanted = chosen(options);
  const { place, modules } = modulesOf(options);
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'hexagent-bench-')));
  const endings = [];
  const run = {
    node: path.resolve(options.node),
    quick: options.quick,
    rounds: options.rounds === undefined ? undefined : Number(options.rounds),
    also: namesOf(options.also),
    folder,
    pidFile: path.join(folder, 'pid'),
    benchFolder,
    modules,
    load: (name) => import(pathToFileURL(resolveFrom(place, name)).href),
    atEnd: (ending) => endings.push(ending),
    progress,
  };
  const results = {};
  try {
    for (const row of wanted) results[row.name] = await measure(row, run);
  } finally {
    progress('');
    for (const ending of endings) await ending();
    rmSync(folder, { recursive: true, force: true });
  }
  conclude(wanted, results, options);
}

function conclude(wanted, all, { node, check, json, also }) {
  const results = Object.fromEntries(Object.entries(all).filter(([, { skipped }]) => skipped === undefined));
  const measured = wanted.filter(({ name }) => name in results);
  const version = spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
  const [cpu] = os.cpus();
  console.log(
    `Node ${version}, ${os.cpus().length} x ${cpu?.model ?? 'unknown'}, ${new Date().toISOString().slice(0, 10)}\n`,
  );
  console.log(table(measured, results, namesOf(also)));
  const explained = ({ name, what }) =>
    `${name}: ${what}${all[name].skipped ? `; SKIPPED: ${all[name].skipped}` : ''}.`;
  console.log(`\n${wanted.map(explained).join('\n')}`);
  if (json !== undefined) writeFileSync(json, JSON.stringify({ node: version, results }, undefined, 2));
  const complaints = missed(measured, results);
  if (complaints.length > 0) console.log(`\nMissed:\n${complaints.join('\n')}`);
  if (check && complaints.length > 0) process.exitCode = 1;
}

try {
  await main(argumentsOf());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
