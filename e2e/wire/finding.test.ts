import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { findCli, hermeticEnv, hermeticHome, type HermeticHome } from '@hexagent/testing/cli';
import { startLoopback } from '@hexagent/testing/loopback';
import { describe, expect, it } from 'vitest';
import { cli, withCli } from '../support/cli.ts';

const run = promisify(execFile);
const builds = [
  `claude-code-${process.platform}-${process.arch}`,
  `claude-agent-sdk-${process.platform}-${process.arch}`,
];

async function put(path: string, content: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await chmod(path, 0o755);
  return path;
}

/** The files of `npm install @anthropic-ai/claude-code`: the program is in the package of the platform. */
async function installClaudeCode(app: string): Promise<string> {
  const modules = join(app, 'node_modules', '@anthropic-ai');
  const manifest = { name: '@anthropic-ai/claude-code', version: '2.1.328', bin: { claude: 'bin/claude.exe' } };
  await put(join(modules, 'claude-code', 'package.json'), JSON.stringify(manifest));
  await put(join(modules, 'claude-code', 'bin', 'claude.exe'), 'echo "not installed" >&2; exit 1\n');
  await symlink(dirname(cli), join(modules, `claude-code-${process.platform}-${process.arch}`));
  return cli;
}

/** Programs in every place of a folder that a search may read; each writes a file when it runs. */
async function plant(folder: string, ran: string): Promise<void> {
  const places = builds.map((build) => `node_modules/@anthropic-ai/${build}/claude`);
  for (const name of [...places, 'claude', 'node', 'node_modules/.bin/claude'])
    await put(join(folder, name), `#!/bin/sh\ntouch '${ran}'\n`);
}

const facade = new URL('../../packages/sdk/src/index.ts', import.meta.url).href;
const program = `import { ask } from ${JSON.stringify(facade)};
const { cwd, env } = JSON.parse(process.argv[2]);
const outcome = await ask('What is 6 times 7?', { cwd, env: { policy: 'exact', set: env } }).result;
console.log(outcome.kind, outcome.text);
`;

async function askFrom(main: string, folder: string, home: HermeticHome): Promise<string> {
  const loopback = await startLoopback(['42']);
  try {
    const env = hermeticEnv({ loopback, home, extra: { PATH: `.::bin:/usr/bin:/bin` } });
    const argument = JSON.stringify({ cwd: folder, env });
    const args = ['--conditions=@hexagent/source', main, argument];
    const { PATH = '' } = env;
    return (await run(process.execPath, args, { cwd: folder, env: { PATH, HOME: home.home } })).stdout;
  } finally {
    await loopback.close();
  }
}

withCli('The CLI of `npm install @anthropic-ai/claude-code`', () => {
  it('is found by tests and by the SDK, and programs in the working directory are not', async () => {
    await using home = await hermeticHome();
    const app = join(home.root, 'app');
    const hostile = join(home.cwd, 'checkout', 'packages', 'one');
    const main = await put(join(app, 'src', 'main.mjs'), program);
    const installed = await installClaudeCode(app);
    for (const folder of [hostile, dirname(hostile), dirname(dirname(hostile))])
      await plant(folder, join(home.root, 'ran'));

    expect(findCli({ from: app, env: { PATH: `.:${hostile}` } })).toBe(installed);
    expect(await askFrom(main, hostile, home)).toBe('completed 42\n');
    expect(existsSync(join(home.root, 'ran'))).toBe(false);
  });
});

// The SDK refuses these folders with a reason; the tests show that the CLI would refuse them too.
const inNoPlace = describe.skipIf(process.platform !== 'linux');

inNoPlace('A folder that no path leads to', () => {
  withCli('is refused by the CLI', () => {
    it.each([
      ['because it was deleted', 'mkdir gone && cd gone && rmdir ../gone'],
      ['because its name is not UTF-8', `folder=$(printf 'caf\\351') && mkdir "$folder" && cd "$folder"`],
    ])('%s', async (_why, enter) => {
      await using home = await hermeticHome();
      const env = hermeticEnv({ loopback: { url: 'http://127.0.0.1:9' }, home });
      const flags = ['-p', '--output-format=stream-json', '--input-format=stream-json', '--verbose'];
      const script = ['-c', `${enter} && exec "$0" "$@" < /dev/null`, cli, ...flags];
      await expect(run('/bin/sh', script, { cwd: home.cwd, env })).rejects.toMatchObject({ code: 1, stdout: '' });
    });
  });
});
