import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSdk, deny } from '@hexagent/sdk';
import { recordTo } from '@hexagent/tapes';
import { linkedTransport, reply, scriptedAgent } from '@hexagent/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const hexagent = fileURLToPath(new URL('../src/hexagent.ts', import.meta.url));

/** A project with a tape, and a program that does what is on it. */
let project = '';
beforeAll(async () => {
  project = realpathSync(mkdtempSync(join(tmpdir(), 'hexagent-tapes-')));
  mkdirSync(join(project, 'node_modules/@hexagent'), { recursive: true });
  for (const [name, folder] of [
    ['sdk', '..'],
    ['tapes', '../../adapters/tapes'],
  ])
    symlinkSync(
      fileURLToPath(new URL(folder ?? '', import.meta.url)),
      join(project, 'node_modules/@hexagent', name ?? ''),
    );
  mkdirSync(join(project, 'tapes'));
  const command = reply.tool('Bash', { command: 'rm -rf old' }, { asks: true });
  const { transport } = linkedTransport(scriptedAgent({ turns: [[command, 'Then I leave it.']] }));
  const { ask } = createSdk({ transport: recordTo(join(project, 'tapes/a.tape'), { transport }) });
  await ask('Clean up', { onAsk: () => deny('Not that one.') }).result;
  writeProgram('Not that one.');
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function writeProgram(message: string): void {
  const lines = [
    "import { ask, deny } from '@hexagent/sdk';",
    `const { kind } = await ask('Clean up', { onAsk: () => deny('${message}') }).result;`,
    "if (kind !== 'completed') throw new Error(kind);",
  ];
  writeFileSync(join(project, 'agent.mjs'), lines.join('\n'));
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs Node in the project, with packages from their sources. */
function node(...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, NODE_OPTIONS: '--conditions=@hexagent/source', HEXAGENT_REPLAY_WAIT_MS: '5000' };
  // A test runner that runs within another one reports to that.
  const { NODE_TEST_CONTEXT: _, ...rest } = { NODE_TEST_CONTEXT: '', ...env };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project, env: rest }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const tape = (...args: readonly string[]): Promise<Ran> => node(hexagent, 'tape', ...args);

describe('hexagent tape', () => {
  it('makes a test that passes while the program does the same, and fails with the difference when it does not', async () => {
    const made = await tape('to-test', 'tapes/a.tape', '--', process.execPath, 'agent.mjs');
    expect(made).toMatchObject({ code: 0, stdout: expect.stringContaining('node --test') });
    const file = join(project, 'tapes/a.test.mjs');
    expect(readFileSync(file, 'utf8')).toContain('answers can_use_tool Bash: deny "Not that one."');
    expect(await node('--test', file)).toMatchObject({ code: 0 });

    writeProgram('Nothing is removed.');
    const failed = await node('--test', file);
    expect(failed.code).toBe(1);
    expect(failed.stdout).toContain('The program departed from the tape');
    expect(failed.stdout).toContain('seen     "Nothing is removed."');
    writeProgram('Not that one.');

    expect(await tape('to-test', 'tapes/a.tape', '--', 'node', 'agent.mjs')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('a.test.mjs exists'),
    });
    rmSync(file);
  });

  it('scores a folder, runs the program with each tape, and fails when a mean is too low or too high', async () => {
    writeFileSync(join(project, 'scores.mjs'), 'export const short = ({ text }) => text.length < 20;');
    const run = ['eval', 'tapes', '--scores', 'scores.mjs'];
    const ok = await tape(...run, '--min', 'completed=1', '--max', 'tools=1', '--', process.execPath, 'agent.mjs');
    expect(ok).toMatchObject({ code: 0, stderr: '' });
    const [head = '', row = ''] = ok.stdout.split('\n').map((line) => line.split(/ +/).join(' '));
    expect(head).toBe('tape completed turns tools cost seconds short replays');
    expect(row).toMatch(/^a\.tape 1 1 1 [\d.]+ [\d.]+ 1 1$/);

    writeProgram('Nothing is removed.');
    const json = await tape(...run, '--json', '--min', 'replays=1', '--', process.execPath, 'agent.mjs');
    writeProgram('Not that one.');
    expect(JSON.parse(json.stdout)).toMatchObject({ means: { replays: 0 }, missed: [{ name: 'replays', bound: 1 }] });
    expect(json).toMatchObject({ code: 1, stderr: 'replays is 0 on average, and has to be at least 1.\n' });
    expect(await tape(...run, '--max', 'tools=0')).toMatchObject({ code: 1 });
  });

  it('ends without an error where its output is read in part, as by `head`', async () => {
    const entry = { t: 0, agent: 1, in: { type: 'assistant', message: { content: 'x'.repeat(100) } } };
    const header = '{"tape":1,"started":"2026-01-01T00:00:00.000Z"}\n';
    writeFileSync(join(project, 'long.tape'), header + `${JSON.stringify(entry)}\n`.repeat(5000));
    const shown = spawn(process.execPath, [hexagent, 'tape', 'show', 'long.tape'], {
      cwd: project,
      env: { ...process.env, NODE_OPTIONS: '--conditions=@hexagent/source' },
    });
    shown.stdout.once('data', () => shown.stdout.destroy());
    let stderr = '';
    shown.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    const [code] = await once(shown, 'close');
    expect([code, stderr]).toEqual([0, '']);
  });
});
