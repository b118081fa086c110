import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { external, type StdioServer } from '../src/index.ts';
import { gone, hello, notes, openSession } from './dialling.ts';

vi.setConfig({ testTimeout: 90_000 }); // a bound for real processes on a busy machine, never waited for

/** A folder with a program that leaves a file when it runs. */
async function planted(name: string): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await mkdtemp(join(tmpdir(), 'hexagent-mcp-'));
  await writeFile(join(path, name), '#!/bin/sh\necho > "$0.ran"\n', { mode: 0o755 });
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe('A server that cannot be started', () => {
  it.each<[string, Partial<StdioServer>, string]>([
    [
      'a command that is not there',
      { command: '/no/such/command', args: ['--token=secret'], env: { KEY: 'secret' } },
      'could not be started: spawn /no/such/command ENOENT',
    ],
    [
      'a name that is not in PATH, although the working directory has a file of that name',
      { command: 'package.json', env: { PATH: '.:/no/such/folder', KEY: 'secret' } },
      'could not be started: there is no program package.json in PATH (.:/no/such/folder)',
    ],
    [
      'a NUL character in a variable',
      { env: { KEY: 'secret\0' } },
      'could not be started: The environment variable KEY holds a NUL character, which no program can receive.',
    ],
    [
      'a NUL character in an argument',
      { args: ['--token', 'secret\0'] },
      'could not be started: The value of --token holds a NUL character, which no program can receive.',
    ],
    [
      'a folder that is not there',
      { cwd: '/no/such/folder' },
      'could not be started: The working directory /no/such/folder does not exist or cannot be entered.',
    ],
  ])('is reported to the agent with the true cause, and without its secrets: %s', async (_, options, cause) => {
    await using dialled = await notes([], options);
    const { ask } = openSession(dialled.server);
    const { error } = await ask('initialize', hello);
    expect(error).toEqual({ code: -32000, message: `The MCP server notes ${cause}` });
    expect(await ask('tools/list')).toHaveProperty('error.message', error?.message);
    expect(await dialled.alive()).toEqual([]);
  });

  it('starts nothing that lies in the working directory under its name', async () => {
    await using folder = await planted('planted-server');
    const PATH = `.::${folder.path}/nothing`;
    await using dialled = await notes([], { command: 'planted-server', cwd: folder.path, env: { PATH } });
    const answer = await openSession(dialled.server).ask('initialize', hello);
    expect(answer).toHaveProperty('error.message', expect.stringContaining('no program planted-server in PATH'));
    expect(await readdir(folder.path)).toEqual(['planted-server']);
  });

  it('because it ends at once is reported with its last words', async () => {
    await using dialled = await notes(['dying']);
    expect(await openSession(dialled.server).ask('initialize', hello)).toMatchObject({
      error: { message: 'The MCP server notes has ended with code 3. It last wrote: cannot reach the café' },
    });
  });

  it('because it refuses the introduction is reported with its words, and is ended', async () => {
    await using dialled = await notes(['refusing']);
    expect(await openSession(dialled.server).ask('initialize', hello)).toMatchObject({
      error: { message: 'The MCP server notes refused to start: the ink is dry' },
    });
    await gone(dialled);
  });

  it('is tried again when the agent tries again', async () => {
    await using dialled = await notes(['dying']);
    const { ask } = openSession(dialled.server);
    await ask('initialize', hello);
    expect(await ask('initialize', hello)).toHaveProperty('error');
    expect(await dialled.pids()).toHaveLength(2);
  });

  it('because its session is closed meanwhile is not started after all', async () => {
    await using dialled = await notes();
    const { ask, session } = openSession(dialled.server);
    const answer = ask('initialize', hello);
    await session.close();
    expect(await answer).toMatchObject({ error: { code: -32000 } });
    await openSession(dialled.server).call('echo');
    expect(await dialled.pids()).toHaveLength(1);
  });
});

describe('external() throws for a server that it could not dial:', () => {
  it.each<[string, unknown]>([
    ['`options` must be an object with a name and a command or a url, not undefined.', undefined],
    ['`name` must be a string that is not empty, not an empty one.', { name: '', command: 'x' }],
    ['`external(notes).command` must be a string that is not empty, not undefined.', { name: 'notes' }],
    [
      '`external(notes).environment` is not known. Did you mean `env`?',
      { name: 'notes', command: 'x', environment: {} },
    ],
    [
      '`external(n).timeout` is not known. What may stand here: command, args, env, cwd, name, connectTimeoutMs, reconnect, onStatus, tools, elicitor, sampler, clock.',
      { name: 'n', command: 'x', timeout: 5 },
    ],
    [
      '`external(n).reconnect` must be an object or false, not a boolean.',
      { name: 'n', command: 'x', reconnect: true },
    ],
    [
      '`external(n).reconnect.attempts` must be a whole number of at least 0, not -1.',
      { name: 'n', command: 'x', reconnect: { attempts: -1 } },
    ],
    [
      '`external(n).clock` must be an object with the method after, not a function.',
      { name: 'n', command: 'x', clock: Date },
    ],
  ])('%s', (message, options) => {
    expect(() => external(options as StdioServer)).toThrow(TypeError);
    expect(() => external(options as StdioServer)).toThrow(message);
  });
});
