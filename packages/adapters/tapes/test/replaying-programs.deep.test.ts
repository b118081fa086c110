import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readTape, replayProgram } from '@hexagent/tapes';
import { processesMentioning } from '@hexagent/testing/cli';
import { describe, expect, it } from 'vitest';
import { testFolder } from './folder.ts';
import { launch, user, uuid } from './tapes.ts';

function someTape(): string {
  const file = path.join(testFolder(), 'a.tape');
  writeFileSync(file, '{"tape":1,"started":"2026-01-01T00:00:00.000Z"}\n');
  return file;
}

const program = (text: string): readonly string[] => [process.execPath, '--input-type=module', '-e', text];

describe('A tape of a program that exits', () => {
  it('has the partial messages that were still gathered', async () => {
    const file = path.join(testFolder(), 'a.tape');
    const { status, stderr } = spawnSync(process.execPath, [
      '--conditions=@hexagent/source',
      fileURLToPath(new URL('fixtures/exits-at-once.mjs', import.meta.url)),
      file,
    ]);
    expect([status, String(stderr)]).toEqual([7, '']);
    const received = readTape(file).entries.filter((entry) => 'in' in entry);
    expect(received).toMatchObject([{ in: { type: 'stream_event', n: 1 } }]);
  });
});

describe('replayProgram', () => {
  it('reports the exit and the output of a program, and that it has started no agent', async () => {
    const command = program("console.log('out'); console.error('err'); process.exitCode = 3;");
    expect(await replayProgram(someTape(), { command })).toEqual({
      ...{ exitCode: 3, timedOut: false, stdout: 'out\n', stderr: 'err\n', sent: [] },
      departure: 'The program has not started an agent.',
    });
  });

  it('gives the program the tape and the limits as variables', async () => {
    const tape = someTape();
    const print =
      'const { HEXAGENT_REPLAY: r, HEXAGENT_REPLAY_WAIT_MS: w, MINE: m } = process.env; console.log(r, w, m);';
    const options = { command: program(print), env: { MINE: 'yes' }, waitMs: 7 };
    expect((await replayProgram(tape, options)).stdout).toBe(`${tape} 7 yes\n`);
  });

  it('kills a program that does not end in time, with what it started', async () => {
    const mark = `hexagent-test-${process.pid}-${Date.now()}`;
    const child = `import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], { stdio: 'inherit' });`;
    const run = await replayProgram(someTape(), { command: program(child), timeoutMs: 1500 });
    expect(run).toMatchObject({ timedOut: true, exitCode: null });
    expect(processesMentioning(mark)).toEqual([]);
  });

  it('lets a program without a limit end in its time, and names a limit that is not a number', async () => {
    const command = program('setTimeout(() => {}, 200)');
    expect(await replayProgram(someTape(), { command, timeoutMs: Infinity })).toMatchObject({ exitCode: 0 });
    for (const name of ['timeoutMs', 'waitMs'])
      await expect(replayProgram(someTape(), { command, [name]: Number.NaN })).rejects.toThrow(`\`${name}\` must be`);
  });

  it('returns although a process that has left the group of the program holds its output open', async () => {
    const mark = `hexagent-test-${process.pid}-${Date.now()}`;
    const child = `import { spawn } from 'node:child_process';
      const options = { stdio: 'inherit', detached: true };
      console.log(spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], options).pid);
      process.exit();`;
    const { timedOut, stdout } = await replayProgram(someTape(), { command: program(child), timeoutMs: 1500 });
    process.kill(Number(stdout));
    expect(timedOut).toBe(true);
  });

  it.each([
    ['holds its output open', 'inherit', true],
    ['is only left running', 'ignore', false],
  ])('ends what %s after the program has exited', async (_, stdio, timedOut) => {
    const mark = `hexagent-test-${process.pid}-${Date.now()}`;
    const child = `import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', '${mark}'], { stdio: '${stdio}' }).unref();`;
    const run = await replayProgram(someTape(), { command: program(child), timeoutMs: 1500 });
    expect(run).toMatchObject({ timedOut, exitCode: 0 });
    await expect.poll(() => processesMentioning(mark)).toEqual([]);
  });

  it('reports what a program did not send that closes the connection early, and one agent more than the tape has', async () => {
    const tape = path.join(testFolder(), 'a.tape');
    const lines = [
      { tape: 1, started: '2026-01-01T00:00:00.000Z' },
      ...[launch, { out: user('hi') }, { out: user('and more', uuid(2)) }].map((entry) => ({
        t: 0,
        agent: 1,
        ...entry,
      })),
    ];
    writeFileSync(tape, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const replaying = (then: string): readonly string[] => [
      ...[process.execPath, '--conditions=@hexagent/source'],
      fileURLToPath(new URL('fixtures/replays.mjs', import.meta.url)),
      then,
    ];
    expect((await replayProgram(tape, { command: replaying('closes') })).departure).toBe(
      'The program has not sent what is on the tape: user "and more"',
    );
    expect((await replayProgram(tape, { command: replaying('starts another') })).departure).toContain(
      'The program started agent 2',
    );
  });

  it('rejects for a program that cannot be started, an empty command, and a file that is not a tape', async () => {
    await expect(replayProgram(someTape(), { command: ['/not/there'] })).rejects.toThrow('ENOENT');
    await expect(replayProgram(someTape(), { command: [] })).rejects.toThrow('`command` is empty');
    await expect(replayProgram(import.meta.filename, { command: ['node'] })).rejects.toThrow('is not a tape');
  });
});
