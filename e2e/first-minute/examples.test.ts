import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { apiError, toolUse } from '@hexagent/testing/loopback';
import { expect, it } from 'vitest';
import { withCli } from '../support/cli.ts';
import { runInTerminal, type RunningProgram } from '../support/running-program.ts';
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
