import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { runInTerminal, runWithPipes, type RunningProgram } from '../support/running-program.ts';
import type { Stage } from '../support/stage.ts';
import { fromSources, keys, leftoversOf, placeFor, root, withTerminal } from './example-programs.ts';
import { runQuickstart } from './quickstart.ts';

const { 'Ctrl-C': ctrlC, 'Ctrl-D': ctrlD } = keys;

withCli('The quickstart', () => {
  it('prints what failed and what to do about it, and exits with 1', async () => {
    await using place = await placeFor([apiError(401, { message: 'invalid x-api-key', times: 20 })]);
    await using program = runQuickstart({ ...place, env: { ...place.env, CLAUDE_CODE_MAX_RETRIES: '0' } });
    expect(await program.exitCode).toBe(1);
    expect(program.output).toContain('Invalid API key');
    expect(program.output).toContain('Set ANTHROPIC_API_KEY');
  });
});

/** A picture of one dot. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** One of the programs of a page, in a file where it finds what it imports. */
async function written(place: Stage, page: string, index = 0): Promise<string> {
  const text = await readFile(join(root, page), 'utf8');
  const code = [...text.matchAll(/^```[jt]s\n(.*?)^```$/gms)][index]?.[1] ?? '';
  const modules = join(place.home.cwd, 'node_modules');
  await mkdir(modules);
  for (const name of ['@hexagent', 'zod']) await symlink(join(root, 'e2e/node_modules', name), join(modules, name));
  const program = join(place.home.cwd, 'program.mts');
  // What a page sends.
  await writeFile(join(place.home.cwd, 'shot.png'), Buffer.from(dot, 'base64'));
  await writeFile(join(place.home.cwd, 'report.pdf'), '%PDF-1.4\n%%EOF\n');
  await writeFile(program, code);
  return program;
}

withCli('A program that a newcomer copies', () => {
  const call = toolUse('mcp__own__forecast', { city: 'Bern' });
  const review = toolUse('StructuredOutput', { summary: 'Fine.', files: [{ path: 'a.ts', risk: 'high' }] });
  const slow = 'Which tests are slow?';
  it.each([
    ['README.md', 0, ['There is one.'], 'Which files', 'There is one.'],
    ['docs/getting-started.md', 0, ['42'], '6 times 7', '42'],
    ['docs/getting-started.md', 1, ['42'], '6 times 7', 'result\n42'],
    ['docs/getting-started.md', 2, [call, 'Take one.'], 'Rain in Bern.', 'Take one.'],
    ['docs/sessions-and-turns.md', 0, ['Two.', 'The first.'], 'the slowest?', 'dollars\nThe first.'],
    ['docs/streaming-text.md', 0, ['Two of them.'], slow, 'Two of them.'],
    ['docs/structured-output.md', 0, [review], 'Review my last commit.', 'Fine. 1'],
    ['docs/budgets-and-cache.md', 0, ['Two.'], slow, 'cost: 0.0'],
    ['docs/images-and-files.md', 0, ['A dot.', 'Nothing.'], dot, 'A dot.\nNothing.'],
    ['docs/skills-and-commands.md', 0, ['Noted.', 'A summary.'], 'README.md in three', 'Noted.\nA summary.'],
    ['docs/rewind-and-fork.md', 0, ['Read.', 'Done.', 'Done.', 'With one.'], 'And with one?', '[]\nWith one.'],
  ] as const)('from %s (%i) runs as printed, and ends', async (page, index, script, sent, shown) => {
    await using place = await placeFor([...script]);
    const program = fromSources(await written(place, page, index));
    await using running = runWithPipes(program, { cwd: place.home.cwd, env: place.env });
    expect(await running.exitCode).toBe(0);
    expect(running.output).toContain(shown);
    expect(JSON.stringify(place.loopback.requests.at(-1))).toContain(sent);
  });
});

withTerminal('The program of docs/permissions.md', () => {
  const command = toolUse('Bash', { command: 'npm run build > output.txt' });
  const run = async (place: Stage): Promise<RunningProgram> =>
    runInTerminal(fromSources(await written(place, 'docs/permissions.md')), { cwd: place.home.cwd, env: place.env });

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
