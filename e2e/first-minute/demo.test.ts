import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runInTerminal, runWithPipes, type ProgramOptions, type RunningProgram } from '../support/running-program.ts';
import type { Stage } from '../support/stage.ts';
import {
  fromSources,
  hasNamespaces,
  keys,
  leftoversOf,
  placeFor,
  root,
  withFullDisk,
  withoutNetwork,
  withTerminal,
} from './example-programs.ts';

const demo = join(root, 'examples/demo/demo.ts');
const endings = [
  ['Ctrl-C', keys['Ctrl-C'], 130],
  ['Ctrl-D', keys['Ctrl-D'], 130],
  ['Ctrl-\\', keys['Ctrl-\\'], 131],
] as const;

const inTerminal = (place: Stage): RunningProgram =>
  runInTerminal(fromSources(demo), { cwd: place.home.cwd, env: place.env });
const withPipes = (place: Stage, args: readonly string[] = [], options: Partial<ProgramOptions> = {}): RunningProgram =>
  runWithPipes(fromSources(demo, ...args), { cwd: place.home.cwd, env: place.env, ...options });

async function expectNothingLeft(program: RunningProgram, place: Stage): Promise<void> {
  expect(program.output).not.toContain('Warning');
  expect(await leftoversOf(place)).toEqual([]);
}

withTerminal('The demo in a terminal', () => {
  it.concurrent.each([
    ['y', 'ok: note.txt was written'],
    ['n', 'ok: There is no note.txt.'],
  ])('plays every scene with the answer %s, and all of it holds', { timeout: 180_000 }, async (answer, fact) => {
    await using place = await placeFor();
    await using program = inTerminal(place);
    await program.shows('What can you do?');
    program.type('Hello\r');
    await program.shows('[y/n]');
    program.type('maybe\r');
    await program.shows('Please answer with y or n.');
    program.type(`${answer}\r`);
    expect(await program.exitCode, program.output).toBe(0);
    expect(program.output).toContain('You wrote: "Hello"');
    expect(program.output).toContain(fact);
    expect(program.output).toContain('All of that held');
    expect(program.output).not.toContain('NOT SO');
    await expectNothingLeft(program, place);
  });

  it.concurrent.each(endings)(
    'ends by %s at a permission question, and leaves nothing behind',
    async (_, key, code) => {
      await using place = await placeFor();
      await using program = inTerminal(place);
      await program.shows('What can you do?');
      program.type('\r');
      await program.shows('May it run');
      program.type(key);
      expect(await program.exitCode).toBe(code);
      await expectNothingLeft(program, place);
    },
  );

  it.concurrent.each(endings)('ends by %s at its first question', async (_, key, code) => {
    await using place = await placeFor();
    await using program = inTerminal(place);
    await program.shows('What can you do?');
    program.type(key);
    expect(await program.exitCode).toBe(code);
    await expectNothingLeft(program, place);
  });

  it.concurrent.each([
    ['Ctrl-C', keys['Ctrl-C'], 130],
    ['Ctrl-\\', keys['Ctrl-\\'], 131],
  ] as const)('ends by %s while the agent writes, and leaves nothing behind', async (_, key, code) => {
    await using place = await placeFor();
    await using program = inTerminal(place);
    await program.shows('What can you do?');
    program.type('Hello\r');
    await program.shows('You wrote: "Hello"');
    program.type(key);
    expect(await program.exitCode).toBe(code);
    await expectNothingLeft(program, place);
  });
});

withTerminal('The demo without a terminal', () => {
  it.concurrent('plays every scene in 80 columns, and answers no by itself', async () => {
    await using place = await placeFor();
    await using program = withPipes(place);
    expect(await program.exitCode).toBe(0);
    const lines = program.output.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => / of 6  /.test(line))).toHaveLength(6);
    expect(program.output).toContain('n (there is no terminal to ask; see --yes)');
    expect(program.output).toContain('ok: There is no note.txt.');
    await expectNothingLeft(program, place);
  });

  it.skipIf(!hasNamespaces)('reports at once that there is no network, the loopback included', async () => {
    await using place = await placeFor();
    await using program = withPipes(place, [], { under: withoutNetwork });
    expect(await program.exitCode).toBe(1);
    expect(program.output).toContain('cannot be reached at 127.0.0.1 (connect ENETUNREACH');
    expect(program.output).not.toContain('    at ');
    await expectNothingLeft(program, place);
  });

  it('names the temporary folder that it cannot use, and what to do', async () => {
    await using place = await placeFor();
    const missing = join(place.home.root, 'missing');
    await using program = withPipes(place, [], { env: { ...place.env, TMPDIR: missing } });
    expect(await program.exitCode).toBe(1);
    expect(program.output).toContain(`temporary folder ${missing} (ENOENT`);
    expect(program.output).toContain('set TMPDIR to another folder');
    expect(program.output).not.toContain('    at ');
  });

  it.skipIf(!hasNamespaces)('names the temporary folder that is full', async () => {
    await using place = await placeFor();
    await using program = withPipes(place, [], { under: withFullDisk(place.home.tmp) });
    expect(await program.exitCode).toBe(1);
    expect(program.output).toContain(`temporary folder ${place.home.tmp} (ENOSPC`);
    expect(program.output).not.toContain('    at ');
  });

  it('prints its options, also after an unknown one', async () => {
    await using place = await placeFor();
    await using help = withPipes(place, ['--help']);
    expect(await help.exitCode).toBe(0);
    await using wrong = withPipes(place, ['--fast']);
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.output).toContain("Unknown option '--fast'");
    for (const { output } of [help, wrong]) expect(output).toContain('Usage: npm run demo');
  });
});
