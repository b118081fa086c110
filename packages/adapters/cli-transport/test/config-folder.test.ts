import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { CliTransport } from '@hexagent/cli-transport';
import type { Connection, Launch } from '@hexagent/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launch } from './agents.ts';
import { temporaryFolder, type Folder } from './temporary.ts';

const transcript = { path: 'projects/-work/session.jsonl', lines: ['{"type":"user"}', '{"type":"assistant"}'] };
const [projects, session] = ['projects/-work', 'projects/-work/session.jsonl'];

let home: Folder;
let open: Connection[] = [];
beforeEach(async () => {
  home = await temporaryFolder();
});
afterEach(async () => {
  for (const connection of open) await connection.close();
  open = [];
  await home[Symbol.asyncDispose]();
});

/** Starts an agent that prints where its config folder is, and stays. */
async function started(
  files: NonNullable<Launch['configFolder']>['files'] = [transcript],
  env: Readonly<Record<string, string>> = { HOME: home.path },
): Promise<{ readonly connection: Connection; readonly folder: string }> {
  const transport = new CliTransport({ executable: '/bin/sh' });
  const args = ['-c', 'echo "$CLAUDE_CONFIG_DIR"; cat'];
  const given = launch({ args, configFolder: { files } });
  const connection = await transport.connect({ ...given, env: { ...given.env, ...env } });
  open.push(connection);
  for await (const [line = ''] of connection.frames) return { connection, folder: line };
  throw new Error('It wrote nothing.');
}

describe('The config folder of a launch', () => {
  it('has the files of the launch, each with its lines, and is gone once the agent has left', async () => {
    const { connection, folder } = await started();
    expect(readFileSync(join(folder, session), 'utf8')).toBe('{"type":"user"}\n{"type":"assistant"}\n');
    await connection.close();
    expect(existsSync(folder)).toBe(false);
  });

  it('#59 can be read by its owner only', async () => {
    await home.file('.claude.json', '{}', 0o644);
    await home.file('.claude/settings.json', '{}', 0o644);
    await home.file('.claude/.credentials.json', '{}', 0o644);
    const { folder } = await started();
    for (const name of ['', 'projects', projects]) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o700);
    for (const name of [session, '.claude.json', 'settings.json', '.credentials.json'])
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('writes a long transcript whole', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `{"n":${n},"text":"${'é'.repeat(500)}"}`);
    const { folder } = await started([{ path: session, lines }]);
    expect(readFileSync(join(folder, session), 'utf8')).toBe(`${lines.join('\n')}\n`);
  });

  it('takes over the sign-in, the settings and the instructions for the agent, and no transcripts', async () => {
    await home.file('.claude.json', '{"oauthAccount":{}}');
    for (const name of ['settings.json', '.config.json', 'CLAUDE.md', 'history.jsonl', 'projects/-work/old.jsonl'])
      await home.file(`.claude/${name}`, `of ${name}`);
    for (const name of ['skills', 'agents']) await home.file(`.claude/${name}/one.md`, `of ${name}`);
    const { connection, folder } = await started();
    const names = ['.claude.json', '.config.json', 'CLAUDE.md', 'agents', 'projects', 'settings.json', 'skills'];
    expect(readdirSync(folder).toSorted()).toEqual(names);
    expect(readFileSync(join(folder, 'CLAUDE.md'), 'utf8')).toBe('of CLAUDE.md');
    expect(readFileSync(join(folder, 'skills/one.md'), 'utf8')).toBe('of skills');
    expect(readdirSync(join(folder, projects))).toEqual(['session.jsonl']);
    await connection.close();
    // What was linked to is still there.
    expect(readFileSync(join(home.path, '.claude/skills/one.md'), 'utf8')).toBe('of skills');
  });

  it('takes them from the config folder that the environment names', async () => {
    await home.file('mine/.claude.json', 'mine');
    await home.file('mine/settings.json', 'my settings');
    await home.file('.claude.json', 'of the home');
    await home.file('.claude/settings.json', 'settings of the home');
    const { folder } = await started([], { HOME: home.path, CLAUDE_CONFIG_DIR: join(home.path, 'mine') });
    expect(readFileSync(join(folder, '.claude.json'), 'utf8')).toBe('mine');
    expect(readFileSync(join(folder, 'settings.json'), 'utf8')).toBe('my settings');
  });

  it('leaves the token behind that is valid once', async () => {
    const claudeAiOauth = { accessToken: 'a', refreshToken: 'r', expiresAt: 5 };
    await home.file('.claude/.credentials.json', JSON.stringify({ claudeAiOauth, other: 1 }));
    const { folder } = await started();
    expect(JSON.parse(readFileSync(join(folder, '.credentials.json'), 'utf8'))).toEqual({
      claudeAiOauth: { accessToken: 'a', expiresAt: 5 },
      other: 1,
    });
    expect(readFileSync(join(home.path, '.claude/.credentials.json'), 'utf8')).toContain('refreshToken');
  });

  it('is made of anything that lies in the home', async () => {
    await home.file('.claude/.credentials.json', '{broken');
    await home.file('.claude/settings.json/a-folder', '');
    await home.file('.claude/skills', 'a file');
    const { folder } = await started();
    expect(readFileSync(join(folder, '.credentials.json'), 'utf8')).toBe('{broken');
    expect(readdirSync(folder).toSorted()).toEqual(['.credentials.json', 'projects']);
  });

  it('does not follow a link that lies in the home, and links to folders only', async () => {
    await home.file('.claude/skills/one.md', 'x');
    const { folder } = await started();
    expect(lstatSync(join(folder, 'skills')).isSymbolicLink()).toBe(true);
  });

  it.each(['../outside', 'projects/../../outside', '/outside', 'a\\..\\b', 'a\0b', '', 'a//b', './a'])(
    'has no file that leads out of it: %j',
    async (path) => {
      await expect(started([{ path, lines: ['x'] }])).rejects.toMatchObject({
        code: 'AGENT_START_FAILED',
        cause: { message: expect.stringContaining('A private folder cannot have the file') },
      });
    },
  );

  it('is not made for a launch without one', async () => {
    const transport = new CliTransport({ executable: '/bin/sh' });
    const connection = await transport.connect(launch({ args: ['-c', 'echo "[$CLAUDE_CONFIG_DIR]"'] }));
    open.push(connection);
    expect(await connection.frames[Symbol.asyncIterator]().next()).toMatchObject({ value: ['[]'] });
  });
});
