import { join } from 'node:path';
import { expect, inject, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';
import { run } from './run.ts';

const { nodes, project, env } = inject('packed');
const options = { cwd: project, env: { ...env, CLAUDE_CODE_PATH: cli, ANTHROPIC_API_KEY: 'key' } };
const command = join(project, 'node_modules/.bin/hexagent');

withCli('The command that npm installs', () => {
  it.each(nodes)('examines the machine on Node $version', async ({ executable, version }) => {
    const report = JSON.parse(await run(executable, [command, 'doctor', '--json'], options));
    expect(report).toMatchObject({ ok: true });
    expect(report.checks[0]).toEqual({ name: 'node', status: 'ok', found: version });
  });

  it('runs a command by the model of the testing package', async () => {
    const print = ['-p', 'new URL(process.env.ANTHROPIC_BASE_URL).hostname'];
    expect(await run(command, ['offline', '--', process.execPath, ...print], options)).toBe('127.0.0.1\n');
  });
});
