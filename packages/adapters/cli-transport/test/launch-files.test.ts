import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CliTransport } from '@hexagent/cli-transport';
import type { Connection, Launch, LaunchArgument } from '@hexagent/ports';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { launchFiles } from '../src/launch-files.ts';
import { fixture, launch } from './agents.ts';
import { temporaryFolder, type Folder } from './temporary.ts';

/** Files are written below the system's folder for temporary ones, which is this one for as long as a test runs. */
let temporary: Folder;
let before: string | undefined;
beforeEach(async () => {
  temporary = await temporaryFolder();
  before = process.env['TMPDIR'];
  process.env['TMPDIR'] = temporary.path;
});
afterEach(async () => {
  if (before === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = before;
  await temporary[Symbol.asyncDispose]();
});

const secret = { name: 'mcp.json', content: '{"token":"sëcret"}' };

/** Starts an agent that prints its arguments, then echoes; returns the path it was given. */
async function started(file: LaunchArgument = secret): Promise<{ connection: Connection; path: string }> {
  const transport = new CliTransport({ executable: '/bin/sh' });
  const args = ['-c', 'echo "$2"; cat', 'sh', '--mcp-config', file];
  const connection = await transport.connect(launch({ args }));
  for await (const [line = ''] of connection.frames) return { connection, path: line };
  throw new Error('It wrote nothing.');
}

describe('A file of the launch', () => {
  it('#22 #59 is given to the agent as a path, and holds what it should', async () => {
    const { connection, path } = await started();
    expect(await readFile(path, 'utf8')).toBe(secret.content);
    expect(path).toMatch(/mcp\.json$/);
    await connection.close();
  });

  it('may be a folder with files, which its owner alone can read', async () => {
    const plugin = { name: 'plugin', files: [{ path: 'skills/a/SKILL.md', lines: ['one', 'two'] }] };
    const { connection, path } = await started(plugin);
    const file = join(path, 'skills/a/SKILL.md');
    expect(await readFile(file, 'utf8')).toBe('one\ntwo\n');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(file))).mode & 0o777).toBe(0o700);
    await connection.close();
    expect(existsSync(path)).toBe(false);
  });

  it('#59 can be read by its owner only', async () => {
    const { connection, path } = await started();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(path))).mode & 0o777).toBe(0o700);
    await connection.close();
  });

  it('is gone once the agent has left', async () => {
    const { connection, path } = await started();
    await connection.close();
    expect(existsSync(dirname(path))).toBe(false);
  });

  it('is reported with its folder and the reason of the system when it cannot be written', async () => {
    const missing = join(temporary.path, 'missing');
    process.env['TMPDIR'] = missing;
    await expect(started()).rejects.toMatchObject({
      code: 'AGENT_START_FAILED',
      message: expect.stringMatching(
        new RegExp(`private files to ${missing}/hexagent-launch-.*\\(ENOENT: no such file`),
      ),
      cause: { code: 'ENOENT' },
    });
  });

  it('is gone when the agent could not be started', async () => {
    const transport = new CliTransport({ executable: '/nowhere/claude' });
    await expect(transport.connect(launch({ args: [secret] }))).rejects.toMatchObject({ code: 'AGENT_NOT_FOUND' });
    // The system alone finds out that one argument is longer than it takes.
    const tooLong = launch({ args: [secret, 'x'.repeat(10_000_000)] });
    const refused = new CliTransport({ executable: '/bin/sh' }).connect(tooLong);
    await expect(refused).rejects.toMatchObject({ code: 'ARGUMENT_TOO_LONG' });
    expect(await readdir(temporary.path)).toEqual([]);
  });

  it('is gone once a connection is closed that was aborted while it was made', async () => {
    const aborting = new AbortController();
    const transport = new CliTransport({ executable: fixture('echoing.mjs') });
    const connecting = transport.connect(launch({ args: [secret] }), { signal: aborting.signal });
    aborting.abort();
    await (await connecting).close();
    expect(await readdir(temporary.path)).toEqual([]);
  });

  it('whose folder is already there is not written into an existing folder', async () => {
    const folder = join(temporary.path, 'hexagent-launch-1');
    await mkdir(folder);
    expect(() => launchFiles(launch({ args: [secret] })).write(folder)).toThrow(
      expect.objectContaining({ code: 'AGENT_START_FAILED', cause: expect.objectContaining({ code: 'EEXIST' }) }),
    );
    expect(await readdir(folder)).toEqual([]);
  });

  it('stays in its folder with any name', async () => {
    await writeFile(`${temporary.path}/outside`, 'untouched');
    const transport = new CliTransport({ executable: '/bin/cat' });
    const connection = await transport.connect(launch({ args: [{ name: '../outside', content: 'inside\n' }] }));
    expect(await connection.frames[Symbol.asyncIterator]().next()).toMatchObject({ value: ['inside'] });
    await connection.close();
    expect(await readFile(`${temporary.path}/outside`, 'utf8')).toBe('untouched');
  });
});

describe('An agent with a folder of its own', () => {
  const start = async (more: Partial<Launch> = {}): Promise<{ connection: Connection; cwd: string }> => {
    const transport = new CliTransport({ executable: '/bin/sh' });
    const ownFolder = join(temporary.path, 'made/for/agent-');
    const connection = await transport.connect(launch({ args: ['-c', 'pwd; cat'], ownFolder, ...more }));
    for await (const [line = ''] of connection.frames) return { connection, cwd: line };
    throw new Error('It wrote nothing.');
  };

  it('works in it, and no other user may enter it', async () => {
    const { connection, cwd } = await start();
    expect(dirname(cwd)).toBe(join(temporary.path, 'made/for'));
    expect(basename(cwd)).toMatch(/^agent-[\w-]{16,}$/);
    for (const folder of [cwd, dirname(cwd)]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await connection.close();
  });

  it.runIf(process.platform === 'linux')('is refused by name below /proc, where no folder can be made', async () => {
    await expect(start({ ownFolder: '/proc/made/for/agent-' })).rejects.toMatchObject({
      code: 'AGENT_START_FAILED',
      message: expect.stringContaining("/proc/made/for (ENOENT: no such file or directory, mkdir '/proc/made')"),
    });
  });

  it('shares it with no other', async () => {
    const agents = await Promise.all([start(), start()]);
    expect(new Set(agents.map(({ cwd }) => cwd)).size).toBe(2);
    await Promise.all(agents.map(({ connection }) => connection.close()));
  });

  it('takes it along when it leaves, with the files of the launch and what it wrote there', async () => {
    const { connection, cwd } = await start({ args: ['-c', 'touch left; pwd; cat', 'sh', '--mcp-config', secret] });
    expect((await readdir(cwd)).toSorted()).toEqual(['4-mcp.json', 'left']);
    await connection.close();
    expect(existsSync(cwd)).toBe(false);
    expect(await readdir(dirname(cwd))).toEqual([]);
  });

  it('is not started where none can be made', async () => {
    await writeFile(join(temporary.path, 'made'), 'a file');
    await expect(start()).rejects.toMatchObject({
      code: 'AGENT_START_FAILED',
      message: expect.stringContaining(join(temporary.path, 'made/for')),
    });
  });
});
