import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { CliTransport, type CliTransportOptions } from '@hexagent/cli-transport';
import type { Connection } from '@hexagent/ports';
import { describe, expect, it, vi } from 'vitest';
import { fixture, launch } from './agents.ts';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 30_000 });

const connect = (options: CliTransportOptions): Promise<Connection> =>
  new CliTransport({ executable: fixture('writing.mjs'), ...options }).connect(launch());

async function readUntilError(connection: Connection): Promise<{ lines: string[]; error: unknown }> {
  const lines: string[] = [];
  try {
    for await (const batch of connection.frames) lines.push(...batch);
  } catch (error) {
    return { lines, error };
  }
  return { lines, error: undefined };
}

const tooLong = {
  name: 'SdkError',
  code: 'LINE_TOO_LONG',
  message: 'The agent wrote a line longer than 1000 bytes, which is the limit `maxLineBytes`.',
  remedy: expect.stringContaining('maxLineBytes'),
};

describe('A line longer than `maxLineBytes`', () => {
  it.each([
    ['that is ended', { line: 1001 }],
    ['that is not ended', { bytes: Buffer.alloc(1001, 'x').toString('base64') }],
  ])('%s ends the reading with an error that names the limit, after the lines before it', async (_, wanted) => {
    const connection = await connect({ maxLineBytes: 1000 });
    for (const wish of [{ lines: 2 }, { line: 1000 }, wanted, { lines: 1 }])
      await connection.send(JSON.stringify(wish));
    const { lines, error } = await readUntilError(connection);
    expect(lines).toEqual(['{"n":0}', '{"n":1}', 'x'.repeat(1000)]);
    expect(error).toMatchObject(tooLong);
    await connection.end();
    expect(await connection.exit).toMatchObject({ code: 0, closed: false });
  });

  it('does not keep an agent from writing on and leaving, even while reading is paused', async () => {
    const connection = await connect({ maxLineBytes: 1000 });
    connection.pause();
    for (const wish of [{ line: 1001 }, { lines: 500_000 }, { exit: 7 }]) await connection.send(JSON.stringify(wish));
    connection.resume();
    expect((await readUntilError(connection)).error).toMatchObject(tooLong);
    connection.pause();
    expect(await connection.exit).toMatchObject({ code: 7, closed: false });
  });

  it('is reported also when it is the last thing an agent wrote that has gone', async () => {
    const connection = await connect({ maxLineBytes: 1000 });
    connection.pause();
    for (const wish of [{ line: 1001 }, { exit: 7 }]) await connection.send(JSON.stringify(wish));
    expect(await connection.exit).toEqual({ code: 7, signal: null, closed: false, stderr: '' });
    expect(await readUntilError(connection)).toMatchObject({ lines: [], error: tooLong });
  });

  it('costs no more memory than the limit, which is 256 MB', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--conditions=@hexagent/source', '--disable-warning=ExperimentalWarning', fixture('peak-of-line.ts'), '400'],
      { env: { PATH: process.env['PATH'] } },
    );
    const { code, grownMb, exit } = JSON.parse(stdout) as { code: string; grownMb: number; exit: number };
    expect([code, exit]).toEqual(['LINE_TOO_LONG', 0]);
    expect(grownMb).toBeGreaterThan(200);
    expect(grownMb).toBeLessThan(256 + 64);
  });
});

describe('CliTransport', () => {
  const wrong = [NaN, -1, Infinity, '1000', null, {}, true] as const;

  it.each([...wrong, 0, 2 ** 40])('refuses %s as `maxLineBytes`, naming it', (value) => {
    // A program in JavaScript may pass anything.
    const options = { maxLineBytes: value } as CliTransportOptions;
    expect(() => new CliTransport(options)).toThrow(TypeError);
    expect(() => new CliTransport(options)).toThrow(/^`maxLineBytes` must be a number of bytes from 1 to \d+, not /);
  });

  it.each(wrong)('refuses %s as `stderrTailBytes`, naming it', (value) => {
    // A program in JavaScript may pass anything.
    const options = { stderrTailBytes: value } as CliTransportOptions;
    expect(() => new CliTransport(options)).toThrow(TypeError);
    expect(() => new CliTransport(options)).toThrow(/^`stderrTailBytes` must be a number of bytes from 0 to /);
  });

  it.each([0, 0.5])('keeps nothing of the error stream with `stderrTailBytes` of %s', async (stderrTailBytes) => {
    const connection = await connect({ stderrTailBytes });
    for (const wish of [{ stderr: 'words\n' }, { stderr: 'more' }, { exit: 1 }])
      await connection.send(JSON.stringify(wish));
    expect(await connection.exit).toMatchObject({ code: 1, stderr: '' });
  });
});
