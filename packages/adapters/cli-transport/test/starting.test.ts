import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import { SdkError, type Launch } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { fixture, launch } from './agents.ts';
import { temporaryFolder } from './temporary.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

interface Self {
  readonly argv: readonly string[];
  readonly execArgv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a fixture that prints its arguments and environment. */
async function started(options: CliTransportOptions, more: Partial<Launch> = {}): Promise<Self> {
  const connection = await new CliTransport(options).connect(launch(more));
  const lines: string[] = [];
  for await (const batch of connection.frames) lines.push(...batch);
  return JSON.parse(lines[0] ?? (await connection.exit).stderr) as Self; // its own words, written by the fixture
}

describe('An agent is started', () => {
  const self = fixture('self.mjs');

  it('with the arguments of the launch, in order, with any characters', async () => {
    const args = ['--model=a b', '', 'ünï "quoted" $HOME `x`', '--x\nnew line'];
    expect((await started({ executable: self }, { args })).argv).toEqual(args);
  });

  it('#51 with the environment of the launch and nothing of ours but the mark by which what it leaves behind is found', async () => {
    process.env['CLAUDECODE'] = '1';
    try {
      const { env } = await started({ executable: self }, { env: { PATH: process.env['PATH'] ?? '', ONLY: 'this' } });
      expect(
        Object.keys(env)
          .filter((name) => name !== '__CF_USER_TEXT_ENCODING')
          .toSorted(),
      ).toEqual(['HEXAGENT_AGENT', 'ONLY', 'PATH']);
    } finally {
      delete process.env['CLAUDECODE'];
    }
  });

  it('with a mark of its own, behind that of the agent it is started by', async () => {
    const [one, other] = await Promise.all([started({ executable: self }), started({ executable: self })]);
    expect(one.env['HEXAGENT_AGENT']).toMatch(/^[0-9a-f]{32}$/);
    expect(other.env['HEXAGENT_AGENT']).not.toBe(one.env['HEXAGENT_AGENT']);
    const inner = await started({ executable: self }, { env: { ...launch().env, HEXAGENT_AGENT: 'outer' } });
    expect(inner.env['HEXAGENT_AGENT']).toMatch(/^outer:[0-9a-f]{32}$/);
  });

  it('in the folder of the launch', async () => {
    await using folder = await temporaryFolder();
    const cwd = join(folder.path, 'wörk');
    await mkdir(cwd);
    expect((await started({ executable: self }, { cwd })).cwd).toBe(cwd);
  });

  it('by the interpreter, with its arguments before the script', async () => {
    const options = { executable: self, interpreter: process.execPath, interpreterArgs: ['--no-warnings'] };
    const { argv, execArgv } = await started(options, { args: ['--flag'] });
    expect([execArgv, argv]).toEqual([['--no-warnings'], ['--flag']]);
  });

  it('by a program of any kind, to which the interpreter arguments are given first', async () => {
    await using folder = await temporaryFolder();
    const wrapper = await folder.file('wrapper', `#!/bin/sh\nexec '${process.execPath}' '${self}' wrapped "$@"\n`);
    const { argv } = await started({ executable: wrapper, interpreterArgs: ['first'] }, { args: ['--flag', 'a b'] });
    expect(argv).toEqual(['wrapped', 'first', '--flag', 'a b']);
  });

  it.each(['.js', '.mjs', '.cjs', '.ts', '.mts', '.cts'])('as a script when its name ends in %s', async (suffix) => {
    await using folder = await temporaryFolder();
    const script = await folder.file(
      `cli${suffix}`,
      'console.log(JSON.stringify({ argv: process.argv.slice(2) }))',
      0o644,
    );
    expect((await started({ executable: script }, { args: ['--flag'] })).argv).toEqual(['--flag']);
  });
});

describe('#22 An argument that the system would not take', () => {
  async function refused(more: Partial<Launch>): Promise<SdkError> {
    const connecting = new CliTransport({ executable: fixture('self.mjs') }).connect(launch(more));
    return await connecting.then(
      () => Promise.reject(new Error('It was started.')),
      (error: unknown) => (SdkError.is(error) ? error : Promise.reject(error as Error)),
    );
  }

  it('is refused by the name of its flag, without its value', async () => {
    const prompt = 'x'.repeat(131_072);
    for (const args of [
      ['--a', `--append-system-prompt=${prompt}`],
      ['--append-system-prompt', prompt],
    ]) {
      const error = await refused({ args });
      expect(error.code).toBe('ARGUMENT_TOO_LONG');
      expect(error.message).toContain('--append-system-prompt');
      expect(error.message).not.toContain('xxx');
    }
  });

  it('is counted in bytes, and the longest possible one passes', async () => {
    expect((await refused({ args: ['é'.repeat(65_536)] })).message).toContain('argument 1');
    expect((await started({ executable: fixture('self.mjs') }, { args: ['x'.repeat(131_071)] })).argv[0]?.length).toBe(
      131_071,
    );
  });

  it('is an environment variable too', async () => {
    const error = await refused({ env: { PATH: '', SECRET: 'x'.repeat(131_072) } });
    expect(error.code).toBe('ARGUMENT_TOO_LONG');
    expect(error.message).toContain('SECRET');
  });

  it('is one of many that are too much together', async () => {
    const args = Array.from({ length: 100 }, (_, n) => `--add-dir=${n}${'x'.repeat(100_000)}`);
    const error = await refused({ args });
    expect(error.code).toBe('ARGUMENT_TOO_LONG');
    expect(error.cause).toMatchObject({ code: 'E2BIG' });
  });
});
