import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { errorText, isRecord } from '@hexagent/checks';
import { readTape, showText, testTextOf, type TestRunner } from '@hexagent/tapes';
import { complain, isArgumentError } from './complain.ts';
import { evaluateTapes } from './tape-eval.ts';

const wanted = '`hexagent tape` needs one of: show FILE, to-test FILE -- COMMAND, eval FOLDER.';

/** Shows a tape, makes a test of it, or scores a folder of them. */
export async function tape([action, ...given]: readonly string[]): Promise<number> {
  const end = given.indexOf('--');
  const args = end === -1 ? given : given.slice(0, end);
  const command = end === -1 ? [] : given.slice(end + 1);
  try {
    if (action === 'show') return show(args);
    if (action === 'to-test') return toTest(args, command);
    if (action === 'eval') return await evaluateTapes(args, command);
  } catch (error) {
    // A file that is not there or not a tape, a score that fails: for the person who runs the command, not of this program.
    if (isArgumentError(error)) throw error;
    return complain(errorText(error));
  }
  return complain(wanted);
}

function show(args: readonly string[]): number {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { all: { type: 'boolean' } },
    allowPositionals: true,
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) return complain('Name one tape: hexagent tape show FILE.');
  process.stdout.write(showText(readTape(file), { isWhole: values.all === true }));
  return 0;
}

const runners: readonly TestRunner[] = ['vitest', 'node', 'jest', 'bun'];

function toTest(args: readonly string[], command: readonly string[]): number {
  const options = { runner: { type: 'string' }, out: { type: 'string' } } as const;
  const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1 || command.length === 0)
    return complain('Name a tape, and the program that is tested: hexagent tape to-test FILE -- node agent.mjs');
  const runner = runners.find((one) => one === (values.runner ?? installedRunner()));
  if (runner === undefined)
    return complain(`--runner ${values.runner} is not known. Use one of ${runners.join(', ')}.`);
  const test = resolve(values.out ?? file.replace(/(?:\.tape)?$/, '.test.mjs'));
  if (existsSync(test)) return complain(`${test} exists. Remove it, or name another file with --out.`);
  writeFileSync(test, testTextOf(readTape(file), { runner, tape: resolve(file), test, command }));
  process.stdout.write(`${test}\nRun it: ${howToRun(runner, test)}\n`);
  return 0;
}

/** The runner that the project here depends on. */
function installedRunner(): TestRunner {
  const manifest = join(process.cwd(), 'package.json');
  const names = existsSync(manifest) ? dependenciesIn(readJson(manifest)) : [];
  return runners.find((runner) => names.includes(runner)) ?? 'node';
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new Error(`${file} cannot be read: ${errorText(cause)}. Name the test runner with --runner.`, { cause });
  }
}

function dependenciesIn(manifest: unknown): readonly string[] {
  if (!isRecord(manifest)) return [];
  return [manifest['dependencies'], manifest['devDependencies']].flatMap((list) => Object.keys(Object(list)));
}

function howToRun(runner: TestRunner, test: string): string {
  const commands: Readonly<Record<TestRunner, string>> = {
    vitest: `npx vitest run ${test}`,
    node: `node --test ${test}`,
    // Jest runs modules of ECMAScript only with this flag of Node.
    jest: `NODE_OPTIONS=--experimental-vm-modules npx jest --runTestsByPath ${test}`,
    bun: `bun test ${test}`,
  };
  return commands[runner];
}
