import { existsSync, readdirSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Launch } from '@hexagent/ports';
import { command, RemoteTransport } from '@hexagent/remote-transport';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
beforeEach(async () => void (folder = await realpath(await mkdtemp(join(tmpdir(), 'hexagent-test-')))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const agent = fileURLToPath(new URL('./fixtures/reporting.mjs', import.meta.url));
/** The shells that a place may have as `sh`, where they are installed here. */
const shells = ['/bin/dash', '/bin/bash', '/bin/busybox'].filter((shell) => existsSync(shell));

interface Report {
  readonly args: readonly string[];
  readonly files: readonly { readonly text: string; readonly mode: string }[];
  readonly configured: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly umask: string;
}

/** What an agent reports that is started by this shell, in a place whose folder for temporary files is that of the test. */
async function report(shell: string, launch: Partial<Launch>): Promise<Report> {
  const wrapper = `umask 22; export TMPDIR=${folder}; shift; exec ${shell}${shell.endsWith('busybox') ? ' sh' : ''}`;
  const place = command(['/bin/bash', '-c', wrapper, 'place'], { cli: [process.execPath, agent] });
  const connection = await new RemoteTransport({ command: place }).connect({
    args: [],
    env: {},
    initialize: {},
    ...launch,
  });
  await connection.send('go');
  const lines: string[] = [];
  for await (const batch of connection.frames) lines.push(...batch);
  expect(await connection.exit).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(lines.join('\n')) as Report;
}

describe.each(shells)('A launch elsewhere, by %s,', (shell) => {
  it('has its arguments as they are, whatever is in them', async () => {
    const args = ['', ' ', "it's", '"$HOME" `x` \\', 'a\nb\r\n', '-n', '*', 'é👋', '\u0081\u0088\u{10ffff}', '~', "'"];
    expect((await report(shell, { args })).args).toEqual(args);
  });

  it('has its files in a folder that only their owner can read, and that is gone with the agent', async () => {
    const plugin = { name: 'plugin', files: [{ path: 'skills/a/SKILL.md', lines: ['one', 'two'] }] };
    const content = `{"text":"${"é'$x`".repeat(100_000)}"}`;
    const { files, umask } = await report(shell, {
      args: ['--settings', { name: 'settings.json', content }, { name: 'two', content: '2' }, plugin],
    });
    expect(files).toEqual([
      { text: `${content}\n`, mode: '600' },
      { text: '2\n', mode: '600' },
      { text: 'one\ntwo\n', mode: '600' },
    ]);
    expect(umask).toBe('22');
    expect(readdirSync(folder)).toEqual([]);
  });

  it('works in a folder of its own, which is gone with it', async () => {
    const { cwd } = await report(shell, { ownFolder: join(folder, 'made', 'for-') });
    expect(dirname(cwd)).toBe(join(folder, 'made'));
    expect(readdirSync(join(folder, 'made'))).toEqual([]);
  });

  it('has a config folder with its files, and with what the agent would find without it, but the token of the sign-in', async () => {
    const own = join(folder, 'own');
    await mkdir(join(own, 'skills'), { recursive: true });
    await writeFile(join(own, 'skills', 'one'), 'a skill');
    await writeFile(join(own, '.claude.json'), '{"me":1}');
    const login = { claudeAiOauth: { accessToken: 'a', refreshToken: 'made-up', expiresAt: 1 } };
    await writeFile(join(own, '.credentials.json'), JSON.stringify(login, undefined, 2));
    const files = [
      { path: 'projects/x/y.jsonl', lines: ['{"n":1}', '{"n":"é"}'] },
      { path: 'empty', lines: [] },
    ];
    const { configured } = await report(shell, { configFolder: { files }, env: { CLAUDE_CONFIG_DIR: own } });
    expect(configured).toMatchObject({
      'projects/x/y.jsonl': '{"n":1}\n{"n":"é"}\n',
      empty: '',
      '.claude.json': '{"me":1}',
    });
    expect(JSON.parse(configured['.credentials.json'] ?? '')).toEqual({
      claudeAiOauth: { accessToken: 'a', expiresAt: 1 },
    });
    expect(Object.values(configured)).toContain('a skill');
  });
});
