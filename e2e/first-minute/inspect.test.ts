import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hermeticHome } from '@hexagent/testing/cli';
import { describe, expect, it } from 'vitest';
import { runWithPipes, type RunningProgram } from '../support/running-program.ts';

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
const hexagent = here('../../packages/sdk/src/hexagent.ts');
/** Where `@hexagent/inspector` is installed. */
const project = here('../');

function run(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningProgram {
  const path = process.env['PATH'] ?? '';
  return runWithPipes(['--conditions=@hexagent/source', ...args], { cwd: project, env: { PATH: path, ...env } });
}

async function ended(running: RunningProgram): Promise<{ readonly code: number | null; readonly output: string }> {
  return { code: await running.exitCode, output: running.output };
}

describe('The variable HEXAGENT_INSPECT', () => {
  const ask = (env: Readonly<Record<string, string>>) => ended(run([here('fixtures/one-answer.ts')], env));

  it.each(['', '0'])('switches nothing on as "%s"', async (value) => {
    expect(await ask({ HEXAGENT_INSPECT: value })).toEqual({ code: 0, output: 'completed\n' });
  });

  it('prints the address of the page, which does not keep the program from ending', async () => {
    const { code, output } = await ask({ HEXAGENT_INSPECT: '1' });
    expect(output).toMatch(/^Inspector: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32}\ncompleted\n$/);
    expect(code).toBe(0);
  });

  it('switches it on in production only as "always", and warns otherwise', async () => {
    const { code, output } = await ask({ HEXAGENT_INSPECT: '1', NODE_ENV: 'production' });
    expect([code, output.includes('#token=')]).toEqual([0, false]);
    expect(output).toContain('[HEXAGENT_NOT_INSPECTED]');
    expect(output).toContain('NODE_ENV is production. With HEXAGENT_INSPECT=always it is switched on there, too.');
    expect((await ask({ HEXAGENT_INSPECT: 'always', NODE_ENV: 'production' })).output).toContain('#token=');
  });
});

describe('The command inspect', () => {
  const inspect = (...args: readonly string[]) => run([hexagent, 'inspect', ...args]);

  it('serves a tape until Ctrl-C, on the port that is named', async () => {
    const home = await hermeticHome();
    const tape = join(home.root, 'run.tape');
    await writeFile(tape, '{"tape":1,"started":"2026-11-20T10:00:00.000Z"}\n');
    await using running = inspect(tape);
    await running.shows('Ctrl-C ends it.');
    const [, url = '', token = ''] = /^(http:\S+\/)#token=(\S+)/.exec(running.output) ?? [];
    const answer = await fetch(`${url}runs`, { headers: { authorization: `Bearer ${token}` } });
    expect(await answer.json()).toEqual([{ name: 'run.tape', isLive: false }]);
    const { port } = new URL(url);
    expect(await ended(inspect(tape, '--port', port))).toEqual({
      code: 1,
      output: `The inspector cannot use port ${port}: another program uses it. Choose another one, or none.\n`,
    });
    process.kill(running.pid, 'SIGINT');
    expect(await running.exitCode).toBe(0);
    await home.remove();
  });

  it('lists the programs that are inspected now', async () => {
    const home = await hermeticHome();
    const env = { TMPDIR: home.tmp };
    const list = () => ended(run([hexagent, 'inspect'], env));
    expect(await list()).toEqual({ code: 1, output: expect.stringContaining('No program of yours is inspected now.') });
    const code = `import { inspect } from '@hexagent/inspector'; await inspect(); process.stdin.resume();`;
    await using program = run(['--input-type=module', '-e', code], env);
    await program.shows('#token=');
    const [, url = ''] = /Inspector: (\S+)/.exec(program.output) ?? [];
    expect(await list()).toEqual({ code: 0, output: `program (process ${program.pid}): ${url}\n` });
    await program[Symbol.asyncDispose]();
    expect((await list()).code).toBe(1);
    await home.remove();
  });

  it.each([
    [['a.tape', 'b.tape', 'c.tape'], 'Name one tape, or two to compare'],
    [['--'], 'Name one tape, or two to compare'],
    [['a.tape', '--', 'node'], 'Name one tape, or two to compare'],
    [['none.tape'], 'none.tape cannot be read: ENOENT'],
    [['package.json'], 'package.json is not a tape'],
    [['package.json', '--port', 'many'], '--port many is not a port'],
  ])('exits with 1 for %j, and says why', async (args, message) => {
    const { code, output } = await ended(inspect(...args));
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });

  it('exits as the command that it runs', async () => {
    expect(await ended(inspect('--', process.execPath, '-e', 'process.exit(7)'))).toMatchObject({ code: 7 });
  });
});
