import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';

// Real processes: an upper bound for a busy machine, never something a passing test waits for.
vi.setConfig({ testTimeout: 60_000 });

const run = promisify(execFile);

/** What `keptByPrograms(1)` returns in a process that runs one program and does this. */
async function keptBeside(something: string, shell = 'exec "$@"'): Promise<string> {
  const source = `
    import { keptByPrograms, runProcess } from '@hexagent/processes';
    console.log('It runs.');
    const connection = await runProcess({ program: { file: '/bin/cat', args: [] }, args: [], env: {}, maxLineBytes: 100, stderrTailBytes: 100 });
    ${something}
    setTimeout(async () => {
      console.log(keptByPrograms(1), keptByPrograms(2));
      await connection.close();
      process.exit();
    }, 300).unref();
  `;
  const node = [process.execPath, '--conditions=@hexagent/source', '--input-type=module', '-e', source];
  const { stdout } = await run('/bin/sh', ['-c', shell, 'sh', ...node], { cwd: import.meta.dirname });
  return stdout.trim();
}

describe('A process', () => {
  it.each([
    ['nothing else', '', 'exec "$@" < /dev/null'],
    ['a timer that keeps nothing', 'setTimeout(() => {}, 60_000).unref();', 'exec "$@" < /dev/null'],
    ['an input that is not read', '', 'sleep 2 | "$@"'],
  ])('is kept by a program where there is %s', async (_, something, shell) => {
    expect(await keptBeside(something, shell)).toBe('It runs.\ntrue false');
  });

  it.each([
    ['a timer', 'setTimeout(() => {}, 60_000);', undefined],
    ['a server', "import { createServer } from 'node:http'; createServer().listen(0);", undefined],
    ['a program of its own', "import { spawn } from 'node:child_process'; spawn('sleep', ['2']);", undefined],
    ['a reader of its input', "process.stdin.on('data', () => {});", 'sleep 2 | "$@"'],
  ])('is kept by more than a program where there is %s', async (_, something, shell) => {
    expect(await keptBeside(something, shell)).toBe('It runs.\nfalse false');
  });
});
