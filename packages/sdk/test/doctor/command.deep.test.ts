import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor, type DoctorReport } from '@hexagent/sdk';
import { processesMentioning, survivors } from '@hexagent/testing/cli';
import { testedCli } from '../../src/doctor/cli-versions.ts';
import { healthyPlace, type Place } from './planted-machine.ts';

const command = fileURLToPath(new URL('../../src/hexagent.ts', import.meta.url));

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Running {
  readonly under?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `hexagent` with the variables of a place in which nothing is wrong, and these. */
function hexagent(args: readonly string[], place: Place, { under = [], env = {} }: Running = {}): Promise<Ended> {
  const variables = {
    PATH: `${join(place.path, 'bin')}:/usr/bin:/bin`,
    HOME: join(place.path, 'home'),
    TMPDIR: join(place.path, 'tmp'),
    CLAUDE_CODE_PATH: place.cli,
    ANTHROPIC_API_KEY: 'hunter2',
    ...env,
  };
  const [file = '', ...rest] = [...under, process.execPath, '--conditions=@hexagent/source', command, ...args];
  const child = spawn(file, rest, { cwd: place.path, env: variables });
  const read = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (piece: string) => (read[name] += piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, ...read }));
  });
}

const printing = (version: string): string => `#!/bin/sh\necho '${version} (Claude Code)'\n`;

async function place(cli = printing(testedCli)): Promise<Place> {
  const healthy = await healthyPlace();
  await healthy.file('bin/claude', cli, 0o755);
  return healthy;
}

describe('The command doctor', () => {
  it('writes a line for each check, without colours, and exits with 0 where nothing failed', async () => {
    await using healthy = await place();
    const { code, stdout, stderr } = await hexagent(['doctor'], healthy, { env: { FORCE_COLOR: '1' } });
    expect(stdout.split('\n').filter((line) => line.startsWith('ok'))).toHaveLength(14);
    expect(stdout).toContain('Nothing failed.');
    expect(stdout).not.toContain('\u001B');
    expect(stdout + stderr).not.toContain('hunter2');
    expect(code).toBe(0);
  });

  it('writes the remedy below what failed, the same as JSON, and exits with 1', async () => {
    await using healthy = await place(printing('2.1.1'));
    const [human, json] = await Promise.all([hexagent(['doctor'], healthy), hexagent(['doctor', '--json'], healthy)]);
    expect(human.stdout).toMatch(/^fail +version +2\.1\.1 is older than .*\n +> Update the CLI: npm install /m);
    const report: DoctorReport & { readonly sdk: string } = JSON.parse(json.stdout);
    expect(report).toMatchObject({ sdk: expect.stringMatching(/^\d+\.\d+\.\d+/), ok: false });
    expect(report.checks.filter(({ status }) => status === 'fail').map(({ name }) => name)).toEqual(['version']);
    expect([human.code, json.code]).toEqual([1, 1]);
  });

  it('exits with 2 for arguments that it does not have', async () => {
    await using healthy = await place();
    for (const args of [['doctor', '--jsno'], ['docter'], []]) {
      const { code, stdout, stderr } = await hexagent(args, healthy);
      expect(stdout + stderr).toContain('hexagent doctor [--json]');
      expect(code).toBe(2);
    }
  });

  it.skipIf(process.platform !== 'linux')('names a working directory that was deleted', async () => {
    await using healthy = await place();
    const under = ['/bin/sh', '-c', 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh'];
    const { code, stdout } = await hexagent(['doctor', '--json'], healthy, { under });
    const { checks }: DoctorReport = JSON.parse(stdout);
    expect(checks.filter(({ status }) => status === 'fail').map(({ name }) => name)).toEqual(['cwd']);
    expect(code).toBe(1);
  });

  it('ends a CLI that hangs, with what it has started', async () => {
    await using healthy = await place(`#!/bin/sh\nsleep 600 &\nsleep 600\n`);
    const set = { PATH: '/usr/bin:/bin', HOME: healthy.path, PLACE: healthy.path };
    const { checks } = await doctor({ executable: healthy.cli, env: { policy: 'exact', set }, timeoutMs: 500 });
    expect(checks.find(({ name }) => name === 'version')).toMatchObject({ status: 'fail' });
    const left = processesMentioning(healthy.path).map(({ pid }) => pid);
    expect(await survivors(left, 5000)).toEqual([]);
  });

  it.each([Infinity, 2 ** 33])('waits for a CLI as long as the program wants: %d ms', async (timeoutMs) => {
    await using healthy = await place();
    const set = { PATH: '/usr/bin:/bin', HOME: healthy.path };
    const { checks } = await doctor({ executable: healthy.cli, env: { policy: 'exact', set }, timeoutMs });
    expect(checks.find(({ name }) => name === 'version')).toMatchObject({ status: 'ok' });
  });

  it('refuses a wrong option by its name', async () => {
    // @ts-expect-error -- a misspelt option
    await expect(doctor({ executabel: 'claude' })).rejects.toThrow('executabel');
  });
});

describe('The command offline', () => {
  const ask = `const { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key, ANTHROPIC_AUTH_TOKEN: token } = process.env;
    const messages = [{ role: 'user', content: 'Hello' }];
    const body = JSON.stringify({ model: 'm', max_tokens: 9, messages });
    const response = await fetch(url + '/v1/messages', { method: 'POST', body, headers: { 'content-type': 'application/json' } });
    console.log((await response.json()).content[0].text, key, token);
    process.exit(7);`;
  const asking = ['--', process.execPath, '--input-type=module', '-e', ask];

  it('runs a command that reaches the model, without credentials of the shell, and ends with its code', async () => {
    await using healthy = await place();
    const { code, stdout } = await hexagent(['offline', ...asking], healthy, { env: { ANTHROPIC_AUTH_TOKEN: 't' } });
    expect(stdout).toBe('This model is a script. You wrote: Hello sk-hexagent-offline undefined\n');
    expect(code).toBe(7);
  });

  it('takes a script from a file of JSON, and from a module', async () => {
    await using healthy = await place();
    await healthy.file('list.json', '["From a list"]');
    await healthy.file('function.mjs', 'export default () => "From a function";');
    const said = ['list.json', 'function.mjs'].map(
      async (file) => (await hexagent(['offline', '--script', file, ...asking], healthy)).stdout,
    );
    expect(await Promise.all(said)).toEqual([
      'From a list sk-hexagent-offline undefined\n',
      'From a function sk-hexagent-offline undefined\n',
    ]);
  });

  it.each([
    ['{"a":1}', 'it is an object.'],
    ['["Hello.", 5]', 'its entry 1 is a number.'],
    ['["Hello."', "Expected ',' or ']'"],
  ])('names a file without a list of texts: %s', async (content, reason) => {
    await using healthy = await place();
    await healthy.file('script.json', content);
    const { code, stderr } = await hexagent(['offline', '--script', 'script.json', ...asking], healthy);
    expect(stderr).toContain(`script.json must be a list of texts as JSON, such as ["Hello."]: ${reason}`);
    expect(code).toBe(1);
  });

  it('explains itself, and does not take the options of a command for its own', async () => {
    await using healthy = await place();
    const help = await hexagent(['offline', '--help'], healthy);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/^Usage:\n +hexagent doctor/);
    const ofCommand = await hexagent(['offline', '--', process.execPath, '--help'], healthy);
    expect([ofCommand.code, ofCommand.stdout]).toEqual([0, expect.stringContaining('node [options]')]);
  });

  it('says what is wrong with its arguments', async () => {
    await using healthy = await place();
    const stderrOf = async (...args: readonly string[]): Promise<string> =>
      (await hexagent(['offline', ...args], healthy)).stderr;
    expect(await stderrOf('--port', 'x')).toBe('--port x is not a port: give a number from 1 to 65535.\n');
    expect(await stderrOf('--')).toBe('A command is missing after `--`.\n');
    expect(await stderrOf('--script', 'none.json')).toContain('none.json');
    expect(await stderrOf('--', 'no-such-command')).toContain('no-such-command could not be started');
  });

  it.skipIf(process.platform === 'win32')('prints the variables and runs until Ctrl-C', async () => {
    await using healthy = await place();
    // A shell of the user: reads the variables, and stops the command when the model has answered.
    const script = `mkfifo lines; "$@" > lines & model=$!
      exec 3< lines; read -r first <&3; eval "$first"
      ${JSON.stringify(process.execPath)} -e 'fetch(process.env.ANTHROPIC_BASE_URL).then(() => console.log("reached"))'
      kill -INT $model; wait $model; echo "code $?"`;
    const under = ['/bin/sh', '-c', `trap - INT; ${script}`, 'sh'];
    const { stdout } = await hexagent(['offline'], healthy, { under });
    expect(stdout).toBe('reached\ncode 0\n');
  });
});
