import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { processesMentioning } from '@hexagent/testing/cli';
import { apiError, toolUse } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from './support/cli.ts';
import { runInTerminal, runWithPipes, type RunningProgram } from './support/running-program.ts';
import { stage, type Stage } from './support/stage.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const demo = join(root, 'examples/demo/demo.ts');
const quickstart = join(root, 'examples/quickstart/quickstart.mjs');
const fromSources = (...args: readonly string[]): readonly string[] => ['--conditions=@hexagent/source', ...args];
const withTerminal = process.platform === 'linux' ? withCli : describe.skip;

const ctrlC = '\u0003';
const ctrlD = '\u0004';

/** A temporary home in which the programs find the CLI. */
const placeFor = (script?: Parameters<typeof stage>[0]): Promise<Stage> => stage(script, { CLAUDE_CODE_PATH: cli });

/** The processes and temporary files that an ended program has left, without those of the CLI itself. */
async function leftoversOf({ home }: Stage): Promise<readonly string[]> {
  const files = (await readdir(home.tmp)).filter((name) => name.startsWith('hexagent'));
  return [...files, ...processesMentioning(home.root).map(({ command }) => command)];
}

withCli('The quickstart', () => {
  const run = (place: Stage): RunningProgram =>
    runWithPipes(fromSources(quickstart), { cwd: place.home.cwd, env: place.env });

  it('prints the answer and exits with 0', async () => {
    await using place = await placeFor(['42']);
    await using program = run(place);
    expect(await program.exitCode).toBe(0);
    expect(program.output.trim().split('\n')).toEqual(['system', 'assistant', 'result', '42']);
  });

  it('prints what failed and what to do about it, and exits with 1', async () => {
    await using place = await placeFor([apiError(401, { message: 'invalid x-api-key', times: 20 })]);
    await using program = run({ ...place, env: { ...place.env, CLAUDE_CODE_MAX_RETRIES: '0' } });
    expect(await program.exitCode).toBe(1);
    expect(program.output).toContain('Invalid API key');
    expect(program.output).toContain('Set ANTHROPIC_API_KEY');
  });
});

withTerminal('The demo', () => {
  const run = (place: Stage, ...args: readonly string[]): RunningProgram =>
    runInTerminal(fromSources(demo, ...args), { cwd: place.home.cwd, env: place.env });

  it.concurrent.each([
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ])('ends by %s at a permission question, and leaves nothing behind', async (_name, key) => {
    await using place = await placeFor();
    await using program = run(place);
    await program.shows('What can you do?');
    program.type('\r');
    await program.shows('May it run');
    program.type(key);
    expect(await program.exitCode).toBe(130);
    expect(program.output).not.toContain('Warning');
    expect(await leftoversOf(place)).toEqual([]);
  });

  it.concurrent.each([
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ])('ends by %s at its first question', async (_name, key) => {
    await using place = await placeFor();
    await using program = run(place);
    await program.shows('What can you do?');
    program.type(key);
    expect(await program.exitCode).toBe(130);
    expect(program.output).not.toContain('Warning');
    expect(await leftoversOf(place)).toEqual([]);
  });

  it.concurrent('ends by Ctrl-C while the agent writes, and leaves nothing behind', async () => {
    await using place = await placeFor();
    await using program = run(place);
    await program.shows('What can you do?');
    program.type('Hello\r');
    await program.shows('You wrote: "Hello"');
    program.type(ctrlC);
    expect(await program.exitCode).toBe(130);
    expect(program.output).not.toContain('Warning');
    expect(await leftoversOf(place)).toEqual([]);
  });

  it.concurrent('plays every scene where there is no terminal, in 80 columns, and answers no by itself', async () => {
    await using place = await placeFor();
    await using program = runWithPipes(fromSources(demo), { cwd: place.home.cwd, env: place.env });
    expect(await program.exitCode).toBe(0);
    const lines = program.output.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => / of 6  /.test(line))).toHaveLength(6);
    expect(program.output).toContain('n (there is no terminal to ask; see --yes)');
    expect(program.output).toContain('ok: There is no note.txt.');
    expect(await leftoversOf(place)).toEqual([]);
  });

  it('prints its options, also after an unknown one', async () => {
    await using place = await placeFor();
    await using help = runWithPipes(fromSources(demo, '--help'), { cwd: place.home.cwd, env: place.env });
    expect(await help.exitCode).toBe(0);
    await using wrong = runWithPipes(fromSources(demo, '--fast'), { cwd: place.home.cwd, env: place.env });
    expect(await wrong.exitCode).toBe(2);
    expect(wrong.output).toContain("Unknown option '--fast'");
    for (const { output } of [help, wrong]) expect(output).toContain('Usage: npm run demo');
  });
});

withTerminal('The program of docs/permissions.md', () => {
  /** The first program of the page, where it finds the SDK. */
  async function written(place: Stage): Promise<string> {
    const page = await readFile(join(root, 'docs/permissions.md'), 'utf8');
    const [, code = ''] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    await mkdir(join(place.home.cwd, 'node_modules'));
    await symlink(join(root, 'e2e/node_modules/@hexagent'), join(place.home.cwd, 'node_modules/@hexagent'));
    const program = join(place.home.cwd, 'program.mts');
    await writeFile(program, code);
    return program;
  }

  const command = toolUse('Bash', { command: 'npm run build > output.txt' });
  const run = async (place: Stage): Promise<RunningProgram> =>
    runInTerminal(fromSources(await written(place)), { cwd: place.home.cwd, env: place.env });

  it.each([
    ['Ctrl-C', ctrlC],
    ['Ctrl-D', ctrlD],
  ])('ends by %s at its question, and leaves nothing behind', async (_name, key) => {
    await using place = await placeFor([command, 'I was not allowed to.']);
    await using program = await run(place);
    await program.shows('May it run Bash');
    program.type(key);
    expect(await program.exitCode).toBe(130);
    expect(program.output).not.toContain('Warning');
    expect(await leftoversOf(place)).toEqual([]);
    expect(place.loopback.requests).toHaveLength(1);
  });

  it('runs what the person allows, and reports what was denied', async () => {
    await using place = await placeFor([toolUse('Bash', { command: 'touch made' }), command, 'Done.']);
    await using program = await run(place);
    await program.shows('touch made');
    program.type('y\r');
    await program.shows('output.txt');
    program.type('n\r');
    expect(await program.exitCode).toBe(0);
    expect(program.output).toContain('Done.');
    expect(existsSync(join(place.home.cwd, 'made'))).toBe(true);
    expect(existsSync(join(place.home.cwd, 'output.txt'))).toBe(false);
  });
});
